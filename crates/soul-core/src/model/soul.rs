use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Field;
use crate::text::Span;

/// The value of an item.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// One statement: a name, a line, or a list entry.
    Text(String),
    /// A passage of Markdown, which may contain many statements.
    Passage(String),
    /// A single text where a list is allowed.
    One(String),
    /// One named value of a map: a trait and its score, a key and its value.
    Entry { key: String, value: serde_json::Value },
    /// The field is present but empty, which differs from absent.
    Empty,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Value {
    fn schema_name() -> Cow<'static, str> {
        "SoulItemValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The value of an item: a text, a named value, or null if the field was left empty.",
            "anyOf": [
                { "type": "string", "description": "A statement, or a passage of Markdown." },
                {
                    "type": "object",
                    "description": "A named value: a trait and its score, a key and its value.",
                    "properties": { "key": { "type": "string" }, "value": true },
                    "required": ["key", "value"],
                },
                { "type": "null" },
            ],
        })
    }
}

impl Value {
    /// The value in words, for people to read.
    #[must_use]
    pub fn plain_text(&self) -> String {
        match self {
            Self::Text(text) | Self::Passage(text) | Self::One(text) => text.clone(),
            Self::Entry { key, value: serde_json::Value::String(text) } => format!("{key}: {text}"),
            Self::Entry { key, value } => format!("{key}: {value}"),
            Self::Empty => "(empty)".to_owned(),
        }
    }

    /// The text, unless it is a named value or empty.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Passage(text) | Self::One(text) => Some(text),
            Self::Entry { .. } | Self::Empty => None,
        }
    }
}

/// One statement of a soul.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulItem"))]
pub struct Item {
    /// What the statement is about.
    pub field: Field,
    /// What it says.
    pub value: Value,
    /// The bytes of the source that it was read from.
    pub span: Span,
    /// The companion file that it was read from; absent if it is in the soul's own file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'static, str>>,
    /// The heading that it stands under; absent if it is not part of a body that is read by its headings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
}

impl Item {
    #[allow(missing_docs)]
    #[must_use]
    pub fn text(field: Field, text: impl Into<String>, span: Span) -> Self {
        Self::new(field, Value::Text(text.into()), span)
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn passage(field: Field, text: impl Into<String>, span: Span) -> Self {
        Self::new(field, Value::Passage(text.into()), span)
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn entry(field: Field, key: impl Into<String>, value: impl Into<serde_json::Value>, span: Span) -> Self {
        Self::new(field, Value::Entry { key: key.into(), value: value.into() }, span)
    }

    #[allow(missing_docs)]
    #[must_use]
    pub const fn new(field: Field, value: Value, span: Span) -> Self {
        Self { field, value, span, file: None, heading: None }
    }

    /// Whether it is part of the soul's prose, which every dialect with a body carries as it is.
    #[must_use]
    pub const fn stands_in_body(&self) -> bool {
        matches!(self.field, Field::Body | Field::Section) || (self.heading.is_some() && self.file.is_none())
    }
}

/// A soul independent of its dialect: the list of its statements, in source order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulItems"))]
#[serde(transparent)]
pub struct Soul {
    /// The items, in the order of the source.
    pub items: Vec<Item>,
}

impl Soul {
    #[allow(missing_docs)]
    pub fn items_of(&self, field: Field) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.field == field)
    }

    #[allow(missing_docs)]
    pub fn texts(&self, field: Field) -> impl Iterator<Item = &str> {
        self.items_of(field).filter_map(|item| item.value.as_text())
    }
}
