//! Schemas of tools, from those of their operations.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use soul_engine::ops::Entry;

use super::tools::Tool;

/// The schema of a tool's arguments. `agent` need not be given where something else says which one is meant.
pub(super) fn input(tool: &Tool, entry: &Entry, agent_is_known: bool) -> Value {
    let shape = entry.request();
    let hoisted = shape.properties.get("targets").map(|targets| &targets["items"]["properties"]);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in tool.keys {
        let of_target = hoisted.filter(|_| tool.one_target).and_then(|target| target.get(*key));
        let Some(schema) = of_target.or_else(|| shape.properties.get(*key)) else { continue };
        properties.insert((*key).to_owned(), slim(schema));
        let is_known = *key == "agent" && (agent_is_known || tool.memory_dir);
        if of_target.is_none() && !is_known && shape.required.iter().any(|required| required == key) {
            required.push(*key);
        }
    }
    if tool.memory_dir {
        let description = "Directory of the memory, inside the workspace; instead of `agent`.";
        properties.insert("memory_dir".to_owned(), json!({ "type": "string", "description": description }));
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// Refuses arguments that the schema of the tool does not allow, with the first reason. Operations read some of them more
/// generously, for clients of other transports; a client of MCP was given the schema. Names have a pattern, which is not
/// looked at here: who reads a name has a better message.
pub(super) fn check(schema: &Value, arguments: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in arguments {
        if let Some(schema) = schema["properties"].get(key) {
            check_value(schema, value, &format!("`{key}`"))?;
        }
    }
    Ok(())
}

fn check_value(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let kind = schema["type"].as_str();
    if kind.is_some_and(|kind| !is_of(kind, value)) {
        let kind = kind.unwrap_or_default();
        let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
        return Err(format!("{place} is not {article} {kind}"));
    }
    let choices = schema["enum"].as_array().cloned().unwrap_or_default();
    let constants = schema["oneOf"].as_array().into_iter().flatten().filter_map(|one| one.get("const"));
    let choices: Vec<Value> = choices.into_iter().chain(constants.cloned()).collect();
    if !choices.is_empty() && !choices.contains(value) {
        let names: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return Err(format!("{place} is not one of {}", names.join(", ")));
    }
    let number = value.as_f64().unwrap_or_default();
    let bound = |key: &str| schema[key].as_f64().filter(|_| value.is_number());
    if bound("minimum").is_some_and(|least| number < least) || bound("maximum").is_some_and(|most| number > most) {
        let most = schema["maximum"].as_u64().map(|most| format!(" to {most}")).unwrap_or_default();
        return Err(format!("{place} is not in the range from {}{most}", schema["minimum"]));
    }
    match value {
        Value::Array(items) => {
            let check = |(at, item)| check_value(&schema["items"], item, &format!("{place}[{at}]"));
            items.iter().enumerate().try_for_each(check)
        }
        Value::Object(entries) => entries.iter().try_for_each(|(key, entry)| {
            let schema = schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]);
            check_value(schema, entry, &format!("{place}.{}", soul_core::text::shown(key)))
        }),
        _ => Ok(()),
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// The schema of a tool's structured result, which names the top level only.
pub(super) fn output(tool: &Tool, entry: &Entry) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = entry.response(&mut settings.into_generator()).to_value();
    let mut properties = Map::new();
    let mut add = |schema: &Value| {
        for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
            properties.entry(key.clone()).or_insert_with(|| types_only(schema));
        }
    };
    add(&schema);
    for key in ["allOf", "anyOf", "oneOf"] {
        schema[key].as_array().into_iter().flatten().for_each(&mut add);
    }
    let is_dropped = |key: &str| tool.drops.contains(&key);
    let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
    let required: Vec<&Value> = required.into_iter().filter(|key| !is_dropped(key.as_str().unwrap_or(""))).collect();
    let required = json!(required);
    properties.retain(|key, _| !is_dropped(key));
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The types of a value, and nothing about what is in it.
fn types_only(schema: &Value) -> Value {
    let mut schema = schema.clone();
    match schema.get_mut("type").map(Value::take) {
        Some(types) => json!({ "type": types }),
        None => json!({}),
    }
}

/// A schema without what only generators of clients need. Lengths are checked by the operation.
fn slim(schema: &Value) -> Value {
    match schema {
        Value::Object(keys) => {
            let nullable = |value: &Value| value.as_array().is_some_and(|types| types.contains(&json!("null")));
            let mut slimmed = Map::new();
            for (key, value) in keys {
                match key.as_str() {
                    "format" | "examples" | "default" | "minLength" | "maxLength"
                        if !matches!(value, Value::Object(_)) => {}
                    // An argument that is not meant is left out.
                    "type" if nullable(value) => {
                        let types: Vec<&Value> = value.as_array().into_iter().flatten().collect();
                        let types: Vec<&Value> = types.into_iter().filter(|kind| **kind != "null").collect();
                        let kind = if types.len() == 1 { types[0].clone() } else { json!(types) };
                        slimmed.insert("type".to_owned(), kind);
                    }
                    "anyOf" | "oneOf" => {
                        let choices: Vec<Value> = value.as_array().into_iter().flatten().map(slim).collect();
                        let choices: Vec<Value> = choices.into_iter().filter(|one| one["type"] != "null").collect();
                        match &choices[..] {
                            [Value::Object(one)] => slimmed.extend(one.clone()),
                            _ => drop(slimmed.insert(key.clone(), choices.into())),
                        }
                    }
                    _ => drop(slimmed.insert(key.clone(), slim(value))),
                }
            }
            // What the key means here is said before what its type means.
            if let Some(description) = keys.get("description") {
                slimmed.insert("description".to_owned(), description.clone());
            }
            Value::Object(slimmed)
        }
        Value::Array(values) => values.iter().map(slim).collect(),
        other => other.clone(),
    }
}
