//! JSON Schema for each version, made from the table of fields.

use serde_json::{Map, Value, json};

use super::{FIELDS, FieldSpec, Shape, SpecVersion};

/// What the smallest manifest of version 0.6 has.
const MINIMAL: [&str; 5] = ["specVersion", "name", "displayName", "version", "description"];

/// The JSON Schema of the manifest of one version, for editors.
#[must_use]
pub fn schema(version: SpecVersion) -> Value {
    let mut schema = object("", version);
    let head = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("soul-{version}.schema.json"),
        "title": format!("soul.json, Soul Spec {version}"),
    });
    if let (Value::Object(schema), Value::Object(mut head)) = (&mut schema, head) {
        head.append(schema);
        return head.into();
    }
    schema
}

fn object(parent: &str, version: SpecVersion) -> Value {
    let prefix = if parent.is_empty() { String::new() } else { format!("{parent}.") };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in FIELDS.iter().filter(|field| field.since <= version) {
        let Some(name) = field.path.strip_prefix(prefix.as_str()).filter(|rest| !rest.contains(['.', '['])) else {
            continue;
        };
        properties.insert(name.to_owned(), property(field, version));
        // The newest version asks for little: its own smallest example has five fields.
        let is_required = field.required && (version < SpecVersion::V0_6 || MINIMAL.contains(&field.path));
        if is_required {
            required.push(name);
        }
    }
    let mut object = json!({ "type": "object", "properties": properties });
    if let (Some(object), false) = (object.as_object_mut(), required.is_empty()) {
        object.insert("required".into(), required.into());
    }
    object
}

fn property(field: &FieldSpec, version: SpecVersion) -> Value {
    let mut schema = match field.shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::TextOrNull => json!({ "type": ["string", "null"] }),
        Shape::OneOf(values) => json!({ "type": "string", "enum": values }),
        Shape::TextOrObject if version < SpecVersion::V0_4 => object(field.path, version),
        Shape::TextOrObject => json!({ "anyOf": [{ "type": "string" }, object(field.path, version)] }),
        Shape::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Shape::Objects => json!({ "type": "array", "items": object(&format!("{}[]", field.path), version) }),
        Shape::Object => object(field.path, version),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Integer => json!({ "type": "integer" }),
        Shape::SomeOf(values) => {
            let one = json!({ "type": "string", "enum": values });
            json!({ "anyOf": [one, { "type": "array", "items": one }] })
        }
        Shape::ObjectOrList => json!({ "type": ["object", "array"] }),
        Shape::Any => json!({}),
    };
    if let Some(schema) = schema.as_object_mut() {
        let limit = match field.path {
            "description" => Some(("maxLength", 160)),
            "disclosure.summary" => Some(("maxLength", 200)),
            "tags" => Some(("maxItems", 10)),
            _ => None,
        };
        schema.extend(limit.map(|(key, most)| (key.to_owned(), most.into())));
        let pattern = match field.path {
            "name" => Some("^[a-z0-9-]+$"),
            "version" => Some("^[0-9]+\\.[0-9]+\\.[0-9]+$"),
            "specVersion" => Some("^0\\.([1-4]|5(\\.[1-3])?|6)$"),
            _ => None,
        };
        schema.extend(pattern.map(|pattern| ("pattern".to_owned(), pattern.into())));
        schema.insert("description".into(), field.meaning.into());
    }
    schema
}
