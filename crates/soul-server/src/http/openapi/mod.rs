//! The OpenAPI document: the table of routes with the schemas of the operations that answer them.

mod pages;

use std::sync::OnceLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use soul_engine::ops::{self, Entry, Report};

use super::example::example;
use super::routes::{Answer, DAGU, ROUTES, Route};
use crate::failure::DAGU_CODES;

/// Serves the document. It is made when it is first asked for, so that a service starts without it.
pub(super) async fn document() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let text = DOCUMENT.get_or_init(openapi).as_str();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The document of the interface, as it is served and checked in.
#[must_use]
pub fn openapi() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        if let Some(entry) = ops::find(route.operation) {
            let path = paths.entry(route.path).or_insert_with(|| json!({}));
            path[route.method.to_lowercase()] = operation(&mut generator, route, entry);
        }
    }
    let error = generator.subschema_for::<Report>();
    let soul = generator.subschema_for::<ops::inspect::Response>();
    let mut components: Map<String, Value> = generator.take_definitions(true);
    components.insert("Failure".to_owned(), failure(&json!(error), &json!(soul)));
    components.insert("DaguFailure".to_owned(), dagu_failure());
    paths.extend(pages::paths());
    paths.sort_keys();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Soulkeeper",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The identity layer for AI agents: author, check, version and deliver their souls.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" }
        },
        "servers": [{ "url": "http://127.0.0.1:7741" }],
        "security": [{}, { "token": [] }],
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } }
        }
    });
    only_objects(&mut document);
    format!("{document:#}\n")
}

/// Writes a schema that allows everything as `{}`: `true` means the same, and not every generator of clients knows it.
fn only_objects(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            for (key, value) in keys.iter_mut() {
                let schemas: Vec<&mut Value> = match (key.as_str(), &mut *value) {
                    ("items", schema) => vec![schema],
                    ("properties", Value::Object(properties)) => properties.values_mut().collect(),
                    ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => schemas.iter_mut().collect(),
                    _ => Vec::new(),
                };
                schemas.into_iter().filter(|schema| **schema == json!(true)).for_each(|schema| *schema = json!({}));
                only_objects(value);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(only_objects),
        _ => {}
    }
}

/// What a route does, takes and answers.
fn operation(generator: &mut SchemaGenerator, route: &Route, entry: &Entry) -> Value {
    let shape = entry.request();
    let spelled = |key: &str| spelling(route, key);
    let given: Vec<(String, &Value, bool)> = shape
        .properties
        .iter()
        .filter(|(key, _)| route.parameters().all(|own| own != key.as_str()) && !route.sets.contains(&key.as_str()))
        .map(|(key, schema)| {
            let is_only_need = route.needs == [key.as_str()];
            (spelled(key), schema, is_only_need || shape.required.contains(key))
        })
        .collect();
    let mut parameters = Vec::new();
    for (name, schema) in path_parameters(route, &shape.properties) {
        parameters.push(json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": schema["description"],
            "schema": without_null(without_description(schema)),
        }));
    }
    let mut value = json!({
        "operationId": operation_id(route),
        "summary": summary(&shape.description),
        "description": described(route, &shape.description),
        "tags": [tag(route)],
    });
    if route.method == "GET" {
        parameters.extend(given.iter().map(|(key, schema, required)| {
            json!({
                "name": key,
                "in": "query",
                "required": required,
                "description": schema["description"],
                "schema": without_description(schema),
            })
        }));
    } else if !given.is_empty() {
        let required: Vec<&String> = given.iter().filter(|(.., required)| *required).map(|(key, ..)| key).collect();
        let properties: Map<String, Value> =
            given.iter().map(|(key, schema, _)| (key.clone(), (*schema).clone())).collect();
        let mut body = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            body["required"] = json!(required);
        }
        let ignored = super::dispatch::IGNORED.iter().filter(|key| !properties.contains_key(**key));
        for key in ignored {
            body["properties"][*key] = json!({ "description": "Accepted and ignored.", "deprecated": true });
        }
        let mut content = json!({ "schema": body });
        if let Some(example) = example(route) {
            content["example"] = example;
        }
        let is_required = !required.is_empty() || route.method == "PATCH";
        value["requestBody"] = json!({ "required": is_required, "content": { "application/json": content } });
    }
    if !parameters.is_empty() {
        value["parameters"] = parameters.into();
    }
    value["responses"] = responses(generator, route, entry);
    value
}

fn responses(generator: &mut SchemaGenerator, route: &Route, entry: &Entry) -> Value {
    let (status, schema) = match route.answer {
        Answer::Ok => ("200", json!(entry.response(generator))),
        Answer::Created => ("201", json!(entry.response(generator))),
        Answer::NoContent => ("204", Value::Null),
        Answer::SoulFirst => ("200", soul_first(generator)),
    };
    let mut done = json!({ "description": "Done." });
    if !schema.is_null() {
        done["content"] = json!({ "application/json": { "schema": schema } });
    }
    let failure = if route.path.starts_with(DAGU) { "DaguFailure" } else { "Failure" };
    let failed = json!({
        "description": "The request failed: `error.code` says why, `error.hint` what to do next.",
        "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{failure}") } } }
    });
    json!({ status: done, "4XX": failed.clone(), "5XX": failed })
}

/// The soul of a session at the top, and the session beside it.
fn soul_first(generator: &mut SchemaGenerator) -> Value {
    let soul = generator.subschema_for::<ops::inspect::Response>();
    let session = generator.subschema_for::<soul_engine::store::Session>();
    json!({ "allOf": [soul, { "type": "object", "properties": { "session": session }, "required": ["session"] }] })
}

/// The body of every failure.
fn failure(error: &Value, soul: &Value) -> Value {
    json!({
        "type": "object",
        "description": "Why a request failed.",
        "required": ["error"],
        "properties": {
            "error": error,
            "soul": soul,
            "diagnostics": { "type": "array", "items": { "$ref": "#/components/schemas/Diagnostic" } }
        }
    })
}

/// The body of a failure of Dagu's routes.
fn dagu_failure() -> Value {
    let code = "The code of Dagu's API; `error.code` is more exact.";
    json!({
        "description": "Why a request failed, with a code and a message like those of Dagu's API.",
        "allOf": [{ "$ref": "#/components/schemas/Failure" }, {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": { "type": "string", "enum": DAGU_CODES, "description": code },
                "message": { "type": "string", "description": "The same as `error.message`." }
            }
        }]
    })
}

/// A key as clients of the route spell it.
fn spelling(route: &Route, key: &str) -> String {
    let renamed = route.renames.iter().find(|(_, own)| *own == key).map_or(key, |(spelled, _)| spelled);
    if !route.camel_case {
        return renamed.to_owned();
    }
    let mut camel = String::new();
    for part in renamed.split('_') {
        let mut chars = part.chars();
        match chars.next() {
            Some(first) if !camel.is_empty() => camel.extend(first.to_uppercase().chain(chars)),
            _ => camel.push_str(part),
        }
    }
    camel
}

fn path_parameters<'a>(
    route: &Route,
    properties: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'static str, &'a Value)> {
    let names = route.path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    names.zip(route.parameters()).filter_map(|(name, key)| properties.get(key).map(|schema| (name, schema)))
}

fn without_description(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_remove("description");
    }
    schema
}

/// A schema of what has to be given.
fn without_null(mut schema: Value) -> Value {
    if let Some(kinds) = schema["type"].as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            schema["type"] = kind.clone();
        }
    }
    schema
}

/// What an operation does, and which of its keys a route asks for.
fn described(route: &Route, description: &str) -> String {
    match route.needs {
        [] | [_] => description.to_owned(),
        needs => {
            let needs: Vec<_> = needs.iter().map(|key| format!("`{}`", spelling(route, key))).collect();
            format!("{description}\n\nGive {}.", needs.join(" or "))
        }
    }
}

fn summary(description: &str) -> String {
    let sentence = description.split_inclusive(". ").next().unwrap_or(description);
    sentence.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// The operation's name, and what sets a route apart from others of the same operation.
fn operation_id(route: &Route) -> String {
    let same = ROUTES.iter().filter(|other| other.operation == route.operation).count();
    let name = route.operation.replace('.', "_");
    if same == 1 {
        return name;
    }
    let place: Vec<&str> = route.path.split('/').filter(|part| !part.is_empty() && *part != "api").collect();
    let place: Vec<&str> = place.into_iter().map(|part| part.trim_matches(['{', '}'])).collect();
    format!("{}_{}", route.method.to_lowercase(), place.join("_"))
}

fn tag(route: &Route) -> &'static str {
    const FOLDERS: [(&str, &str); 8] = [
        ("session", "sessions"),
        ("task", "tasks"),
        ("library", "library"),
        ("persona", "persona"),
        ("memory", "memory"),
        ("token", "tokens"),
        ("scan", "scanner"),
        ("rule", "scanner"),
    ];
    let folder = route.operation.split('.').next().unwrap_or_default();
    match FOLDERS.iter().find(|(known, _)| *known == folder) {
        Some((_, tag)) => tag,
        None if matches!(folder, "log" | "audit" | "doctor") => "record",
        None => "souls",
    }
}

/// Every tag, with what is found under it.
const TAGS: [(&str, &str); 12] = [
    ("library", "The shared soul library, and which soul is selected."),
    ("memory", "What an agent remembers."),
    ("operations", "Operations by name, for `soul --server`."),
    ("persona", "An agent's traits, mood and overlays."),
    ("mcp", "The Model Context Protocol, for agents and editors."),
    ("probes", "Whether the service runs, and how much it does."),
    ("record", "Events, the audit of the record, and the keeper's health."),
    ("scanner", "Scan texts, and list the rules of the scanner."),
    ("sessions", "Sessions, each bound to a soul as it was when the session began."),
    ("souls", "Agents' souls: read, check, change, convert."),
    ("tasks", "Tasks, and runs that sessions claim."),
    ("tokens", "Tokens for clients; needs the Unix socket or an admin token."),
];

fn tags() -> Value {
    TAGS.iter().map(|(name, description)| json!({ "name": name, "description": description })).collect()
}
