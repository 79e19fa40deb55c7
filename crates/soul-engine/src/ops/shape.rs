//! The keys of a request, as its schema has them: what is refused, what is suggested, how text becomes values.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};
use soul_core::text::{closest, shown};

use super::Error;
use super::mismatch::{self, alternatives};
use crate::workspace::{AgentName, SoulId};

/// Why a request was not read, and where in it.
pub(super) type Misread = serde_path_to_error::Error<serde_json::Error>;

/// The keys of a request.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its description.
    pub description: String,
    /// The schema of each key, in order.
    pub properties: Map<String, Value>,
    /// The keys that must be given.
    pub required: Vec<String>,
}

impl Shape {
    pub(super) fn of<T: JsonSchema>() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required = required.filter_map(|key| key.as_str().map(str::to_owned)).collect();
        Self { description: text("description"), properties, required }
    }

    /// Whether a request may have this key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.properties.contains_key(key)
    }

    /// Refuses keys that the request does not have, at any depth, and lists where an object belongs: a list of
    /// values in the right order would be read as one.
    pub(super) fn check(&self, given: &Map<String, Value>) -> Result<(), Error> {
        check_object(&self.properties, given)
    }

    /// A value of a query, as the schema of its key asks for it. Text that is not of that type stays text, and
    /// is refused when the request is read.
    #[must_use]
    pub fn from_text(&self, key: &str, text: &str) -> Value {
        let kind = self.properties.get(key).map(types).unwrap_or_default();
        let parsed = match kind {
            kind if kind.contains(&"array") => return Value::Array(vec![text.into()]),
            kind if kind.contains(&"string") => None,
            kind if kind.contains(&"boolean") => text.parse().ok().map(Value::Bool),
            kind if kind.contains(&"integer") || kind.contains(&"number") => {
                serde_json::from_str(text).ok().filter(Value::is_number)
            }
            _ => serde_json::from_str(text).ok(),
        };
        parsed.unwrap_or_else(|| text.into())
    }

    /// Why a request was not read. What has an error of its own keeps it.
    pub(super) fn explain(&self, request: &Value, error: &Misread) -> Error {
        let text = |key: &str| request.get(key).and_then(Value::as_str);
        let is_name = |key: &&str| self.has(key);
        if let Some(Err(bad)) = Some("agent").filter(is_name).and_then(text).map(str::parse::<AgentName>) {
            return Error::Soul(bad.into());
        }
        for key in ["soul", "id"].iter().filter(|key| self.has(key) && is_soul_id(&self.properties[**key])) {
            if let Some(Err(bad)) = text(key).map(str::parse::<SoulId>) {
                return Error::Soul(bad.into());
            }
        }
        if let Some(missing) = self.required.iter().find(|key| request.get(*key).is_none()) {
            return Error::BadRequest(format!("`{missing}` is missing"));
        }
        Error::BadRequest(mismatch::explain(&self.properties, request, error.path(), &error.inner().to_string()))
    }
}

fn check_object(properties: &Map<String, Value>, given: &Map<String, Value>) -> Result<(), Error> {
    if let Some(unknown) = given.keys().find(|key| !properties.contains_key(*key)) {
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let hint = match closest(unknown, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "this request has no keys".to_owned(),
            None => format!("the keys are {}", known.join(", ")),
        };
        return Err(Error::UnknownKey { key: shown(unknown), hint });
    }
    given.iter().try_for_each(|(key, value)| check_value(key, &properties[key], value))
}

fn check_value(key: &str, schema: &Value, value: &Value) -> Result<(), Error> {
    let objects: Vec<_> = alternatives(schema).filter_map(|schema| schema["properties"].as_object()).collect();
    match (objects.first(), value) {
        // One of the alternatives has all the keys, or the first says what is wrong.
        (Some(first), Value::Object(given)) => {
            let fits = objects.iter().any(|properties| check_object(properties, given).is_ok());
            if fits { Ok(()) } else { check_object(first, given) }
        }
        (Some(_), Value::Array(_)) => Err(Error::BadRequest(format!("`{key}` is not an object"))),
        (None, Value::Array(values)) => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            values.iter().try_for_each(|value| check_value(key, items, value))
        }
        _ => Ok(()),
    }
}

/// The types that a schema allows.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => alternatives(schema).skip(1).flat_map(types).collect(),
    }
}

/// Whether a schema is that of the id of a library soul.
fn is_soul_id(schema: &Value) -> bool {
    alternatives(schema).any(|schema| schema["pattern"].as_str().is_some_and(|p| p.contains("a-z0-9")))
}
