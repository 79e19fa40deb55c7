//! Routes that no operation answers.

use serde_json::{Value, json};
use soul_engine::ops;

/// The paths.
pub(super) fn paths() -> Vec<(String, Value)> {
    [
        ("/api/agents/{name}/persona/radar.svg", json!({ "get": radar() })),
        ("/api/ops/{operation}", json!({ "post": any_operation() })),
        ("/healthz", json!({ "get": healthz() })),
        ("/mcp", json!({ "post": mcp() })),
        ("/metrics", json!({ "get": metrics() })),
        ("/readyz", json!({ "get": readyz() })),
    ]
    .map(|(path, methods)| (path.to_owned(), methods))
    .into()
}

fn failed() -> Value {
    json!({
        "description": "The request failed: `error.code` says why, `error.hint` what to do next.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } }
    })
}

fn text(description: &str) -> Value {
    json!({ "description": description, "content": { "text/plain": { "schema": { "type": "string" } } } })
}

fn healthz() -> Value {
    json!({
        "operationId": "healthz",
        "summary": "Check whether the process runs",
        "description": "Needs no token anywhere.",
        "tags": ["probes"],
        "security": [{}],
        "responses": { "200": text("It runs."), "4XX": failed() }
    })
}

fn readyz() -> Value {
    json!({
        "operationId": "readyz",
        "summary": "Check whether the store answers",
        "tags": ["probes"],
        "responses": { "200": text("It answers."), "4XX": failed(), "5XX": failed() }
    })
}

fn metrics() -> Value {
    json!({
        "operationId": "metrics",
        "summary": "Count requests, for Prometheus",
        "tags": ["probes"],
        "responses": { "200": text("The metrics."), "4XX": failed(), "5XX": failed() }
    })
}

fn mcp() -> Value {
    let message = json!({ "application/json": { "schema": { "type": "object" } } });
    json!({
        "operationId": "mcp",
        "summary": "Send a message of the Model Context Protocol",
        "description": "Streamable HTTP: a request is answered with JSON or as a stream, any other message with 202. A GET is \
                        the stream of a session, and a DELETE ends it.",
        "tags": ["mcp"],
        "requestBody": { "required": true, "content": message },
        "responses": {
            "200": { "description": "The answer.", "content": { "application/json": { "schema": { "type": "object" } } } },
            "202": { "description": "The message was accepted." },
            "4XX": failed(),
            "5XX": failed()
        }
    })
}

fn radar() -> Value {
    json!({
        "operationId": "persona_radar",
        "summary": "Draw an agent's traits, baseline and effective, as SVG",
        "tags": ["persona"],
        "parameters": [{
            "name": "name",
            "in": "path",
            "required": true,
            "description": "The agent.",
            "schema": { "type": "string" }
        }],
        "responses": {
            "200": { "description": "Done.", "content": { "image/svg+xml": { "schema": { "type": "string" } } } },
            "4XX": failed(),
            "5XX": failed()
        }
    })
}

fn any_operation() -> Value {
    let names: Vec<&str> = ops::all().map(|entry| entry.name).collect();
    let about = "For `soul --server`. Requests and answers are those of the operations, and may change with each \
                 version; clients use the other routes.";
    json!({
        "operationId": "operation",
        "summary": "Run an operation by its name",
        "description": about,
        "tags": ["operations"],
        "parameters": [{
            "name": "operation",
            "in": "path",
            "required": true,
            "description": "The name of the operation.",
            "schema": { "type": "string", "enum": names }
        }],
        "requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } },
        "responses": {
            "200": { "description": "Done.", "content": { "application/json": { "schema": { "type": "object" } } } },
            "4XX": failed(),
            "5XX": failed()
        }
    })
}
