//! Routes that no operation answers.

use serde_json::{Value, json};
use soul_engine::ops;

/// The paths.
pub(super) fn paths() -> Vec<(String, Value)> {
    [
        ("/api/agents/{name}/persona/radar.svg", json!({ "get": radar() })),
        ("/api/agents/{name}/sigil.svg", json!({ "get": sigil("agent_sigil", "name", "The agent.", "souls") })),
        (
            "/api/v1/settings/agent/souls/{soulId}/sigil.svg",
            json!({ "get": sigil("library_sigil", "soulId", "The id of the soul.", "library") }),
        ),
        ("/api/sign-in", json!({ "post": sign_in() })),
        ("/api/sign-out", json!({ "post": sign_out() })),
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

fn sigil(id: &str, parameter: &str, about: &str, tag: &str) -> Value {
    let query = |name: &str, about: &str, schema: Value| json!({ "name": name, "in": "query", "required": false, "description": about, "schema": schema });
    let path = json!({
        "name": parameter,
        "in": "path",
        "required": true,
        "description": about,
        "schema": { "type": "string" }
    });
    json!({
        "operationId": id,
        "summary": "Draw the sigil of a soul, as SVG",
        "description": "Six petals, one for each part of what the soul says. With `from`, only the parts that changed are \
                        in full colour.",
        "tags": [tag],
        "parameters": [
            path,
            query("revision_id", "The revision, snapshot or digest to draw. Default: the file.", json!({ "type": "string" })),
            query("from", "What to compare it with, named in the same way.", json!({ "type": "string" })),
            query(
                "size",
                "Width and height in pixels.",
                json!({ "type": "integer", "minimum": 8, "maximum": 1024, "default": 64 }),
            ),
            query("theme", "The background.", json!({ "type": "string", "enum": ["light", "dark"], "default": "light" })),
        ],
        "responses": {
            "200": { "description": "Done.", "content": { "image/svg+xml": { "schema": { "type": "string" } } } },
            "4XX": failed(),
            "5XX": failed()
        }
    })
}

const STUDIO: &str = "Needs the header `Soul-Studio: 1`, and a request of the same origin.";

fn sign_in() -> Value {
    json!({
        "operationId": "sign_in",
        "summary": "Sign in with a token, in a browser",
        "description": format!(
            "Answers with who you are, and sets a cookie that stands for the token. {STUDIO} So does every change that is made \
             with the cookie."
        ),
        "tags": ["tokens"],
        "security": [{}],
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": {
                "type": "object",
                "properties": { "token": { "type": "string", "description": "The secret of the token." } },
                "required": ["token"],
                "additionalProperties": false
            } } }
        },
        "responses": {
            "200": {
                "description": "Signed in.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/CallerIdentity" } } }
            },
            "4XX": failed(),
            "5XX": failed()
        }
    })
}

fn sign_out() -> Value {
    json!({
        "operationId": "sign_out",
        "summary": "Sign out, in a browser",
        "description": STUDIO,
        "tags": ["tokens"],
        "security": [{}],
        "responses": { "204": { "description": "Signed out." }, "4XX": failed() }
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
