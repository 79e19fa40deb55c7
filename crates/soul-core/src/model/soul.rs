use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Field;
use crate::text::Span;

/// What an item says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// One statement: a name, a line, an entry of a list.
    Text(String),
    /// A stretch of Markdown, which may hold many statements.
    Passage(String),
    /// One text where a list could stand.
    One(String),
    /// One named value of a field that has many: a trait and its score, a key and what it holds.
    Entry {
        /// The name.
        key: String,
        /// What it holds.
        value: serde_json::Value,
    },
    /// The field was written and left empty, which is not the same as not written.
    Empty,
}

impl Value {
    /// What it says, for people to read.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Self::Text(text) | Self::Passage(text) | Self::One(text) => text.clone(),
            Self::Entry { key, value: serde_json::Value::String(text) } => format!("{key}: {text}"),
            Self::Entry { key, value } => format!("{key}: {value}"),
            Self::Empty => "(empty)".to_owned(),
        }
    }

    /// The text, of either kind.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Passage(text) | Self::One(text) => Some(text),
            Self::Entry { .. } | Self::Empty => None,
        }
    }
}

/// One thing that a soul says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What it is about.
    pub field: Field,
    /// What it says.
    pub value: Value,
    /// Where in the source it says so.
    pub span: Span,
    /// The file beside the soul that says it, if it is not the soul's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'static, str>>,
}

impl Item {
    /// An item that is one statement.
    #[must_use]
    pub fn text(field: Field, text: impl Into<String>, span: Span) -> Self {
        Self::new(field, Value::Text(text.into()), span)
    }

    /// An item that is a stretch of Markdown.
    #[must_use]
    pub fn passage(field: Field, text: impl Into<String>, span: Span) -> Self {
        Self::new(field, Value::Passage(text.into()), span)
    }

    /// An item that is a named value.
    #[must_use]
    pub fn entry(field: Field, key: impl Into<String>, value: impl Into<serde_json::Value>, span: Span) -> Self {
        Self::new(field, Value::Entry { key: key.into(), value: value.into() }, span)
    }

    /// An item of the soul's own file.
    #[must_use]
    pub const fn new(field: Field, value: Value, span: Span) -> Self {
        Self { field, value, span, file: None }
    }
}

/// Who an agent is, free of the dialect it was written in: what it says, in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Soul {
    /// The items, in the order of the source.
    pub items: Vec<Item>,
}

impl Soul {
    /// The items of one field.
    pub fn of(&self, field: Field) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.field == field)
    }

    /// The texts of one field.
    pub fn texts(&self, field: Field) -> impl Iterator<Item = &str> {
        self.of(field).filter_map(|item| item.value.as_text())
    }
}
