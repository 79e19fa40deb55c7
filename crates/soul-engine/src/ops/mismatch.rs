//! Why a request could not be read, in the words of JSON: the key, and what belongs there. serde's own messages name
//! Rust types, which mean nothing to a client.

use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};
use soul_core::text::visible;

/// The most characters of a value that a message repeats.
const SHOWN: usize = 60;

/// What is wrong at this place of a request whose keys have these schemas.
pub(super) fn explain(properties: &Map<String, Value>, request: &Value, path: &Path, error: &str) -> String {
    let mut name = String::new();
    let (mut value, mut schema) = (Some(request), None);
    for segment in path {
        match segment {
            Segment::Map { key } => {
                schema = match schema {
                    None if name.is_empty() => properties.get(key),
                    schema => schema.and_then(|schema| property(schema, key)),
                };
                value = value.and_then(|value| value.get(key));
                name.push_str(if name.is_empty() { "" } else { "." });
                name.push_str(&visible(key));
            }
            Segment::Seq { index } => {
                schema = schema.and_then(|schema| schema.get("items"));
                value = value.and_then(|value| value.get(index));
                name.push_str(&format!("[{index}]"));
            }
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    if let Some(missing) = error.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let dot = if name.is_empty() { "" } else { "." };
        return format!("`{name}{dot}{missing}` is missing");
    }
    // Where a request holds the keys of another one, serde does not say which of them it was.
    if name.is_empty() {
        let wrong = properties.iter().find_map(|(key, schema)| {
            let value = request.get(key).filter(|value| !fits(schema, value))?;
            Some(format!("`{key}` is not {}: {}", expected(schema)?, glance(value)))
        });
        return wrong.unwrap_or_else(|| error.to_owned());
    }
    match (error.contains(", expected "), schema.and_then(expected), value) {
        (true, Some(expected), Some(value)) => format!("`{name}` is not {expected}: {}", glance(value)),
        (true, ..) => format!("`{name}` has an invalid value"),
        (false, ..) => format!("`{name}`: {error}"),
    }
}

/// Whether a value has a type that a schema allows, and is one of its words.
fn fits(schema: &Value, value: &Value) -> bool {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let mut kinds = kinds(schema).map(|(_, kind)| kind).peekable();
    let is_known = |known: &str| known == kind || (known == "number" && kind == "integer");
    let words = words(schema);
    (kinds.peek().is_none() || kinds.any(is_known))
        && (words.is_empty() || value.as_str().is_none_or(|value| words.contains(&value)))
}

fn words(schema: &Value) -> Vec<&str> {
    let words = alternatives(schema).flat_map(|schema| schema["enum"].as_array().into_iter().flatten());
    let consts = alternatives(schema).filter_map(|schema| schema.get("const"));
    words.chain(consts).filter_map(Value::as_str).collect()
}

/// The types that a schema allows, each with the schema that allows it.
fn kinds(schema: &Value) -> impl Iterator<Item = (&Value, &str)> {
    alternatives(schema).flat_map(|schema| match &schema["type"] {
        Value::String(kind) => vec![(schema, kind.as_str())],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).map(|kind| (schema, kind)).collect(),
        _ => Vec::new(),
    })
}

fn property<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    alternatives(schema).find_map(|schema| schema["properties"].get(key))
}

/// A schema, and the schemas that it chooses from.
pub(super) fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let choices = ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
    std::iter::once(schema).chain(choices)
}

/// What a schema asks for, as a phrase.
fn expected(schema: &Value) -> Option<String> {
    let words = words(schema);
    if !words.is_empty() {
        return Some(format!("one of {}", words.join(", ")));
    }
    let phrase = |(schema, kind): (&Value, &str)| match kind {
        "null" => None,
        "string" => Some("a string".to_owned()),
        "boolean" => Some("true or false".to_owned()),
        "array" => Some("a list".to_owned()),
        "object" => Some("an object".to_owned()),
        kind => {
            let number = if kind == "integer" { "a whole number" } else { "a number" };
            Some(match (&schema["minimum"], &schema["maximum"]) {
                (Value::Number(least), Value::Number(most)) => format!("{number} from {least} to {most}"),
                (Value::Number(least), _) => format!("{number} from {least}"),
                _ => number.to_owned(),
            })
        }
    };
    let phrases: Vec<String> = kinds(schema).filter_map(phrase).collect();
    (!phrases.is_empty()).then(|| phrases.join(" or "))
}

/// A value, as far as it fits into a message.
fn glance(value: &Value) -> String {
    let text = visible(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
