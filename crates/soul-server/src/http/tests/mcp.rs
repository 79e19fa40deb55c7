//! MCP at `/mcp`: sessions, requests without one, streams, and who may ask.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::tokens::{author, viewer};
use super::{Reply, Served};

const FILES: &[(&str, &str)] =
    &[("agents/ada/SOUL.md", "You are Ada.\n"), ("agents/ada/MEMORY.md", "# Ports\n\n8443.\n")];

fn message(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

fn initialize(capabilities: Value) -> String {
    let client = json!({ "name": "probe", "version": "1" });
    message(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "clientInfo": client, "capabilities": capabilities }),
    )
}

impl Served {
    /// Sends a message with these headers; the session that the answer names.
    async fn mcp(&self, verb: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (Reply, Option<String>) {
        let mut request = Request::builder().method(verb).uri(path).header("host", "localhost");
        for (name, value) in [("accept", "application/json, text/event-stream"), ("content-type", "application/json")] {
            request = request.header(name, value);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let text = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let (status, content_type) = (response.status(), text("content-type").unwrap_or_default());
        let session = text("mcp-session-id");
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec();
        (Reply { status, content_type, bytes }, session)
    }
}

#[tokio::test]
async fn a_session_begins_with_initialize_and_ends_with_delete() {
    let served = Served::with(FILES);
    let (reply, session) = served.mcp("POST", "/mcp", &[], &initialize(json!({}))).await;
    assert_eq!((reply.status, &*reply.content_type), (StatusCode::OK, "application/json"));
    let session = session.unwrap();
    let named = [("mcp-session-id", session.as_str())];
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(served.mcp("POST", "/mcp", &named, &notice).await.0.status, StatusCode::ACCEPTED);
    let listed = served.mcp("POST", "/mcp", &named, &message("tools/list", json!({}))).await.0.json();
    assert!(listed["result"]["tools"].as_array().unwrap().len() >= 8);
    // The session belongs to the caller that began it, with the options that it was begun with.
    let other = served.mcp("POST", "/mcp?tools=all", &named, &message("tools/list", json!({}))).await.0;
    assert_eq!((other.status, &other.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!("session_not_found")));
    assert_eq!(served.mcp("DELETE", "/mcp", &named, "").await.0.status, StatusCode::NO_CONTENT);
    let gone = served.mcp("POST", "/mcp", &named, &message("ping", json!({}))).await.0;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert_eq!(served.mcp("GET", "/mcp", &[], "").await.0.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_request_without_a_session_is_answered() {
    let served = Served::with(FILES);
    let call = json!({ "name": "memory_search", "arguments": { "agent": "ada", "query": "8443" } });
    let reply = served.mcp("POST", "/mcp", &[], &message("tools/call", call.clone())).await.0.json();
    assert_eq!(reply["result"]["structuredContent"]["results"][0]["section"], "Ports", "{reply}");
    let all = served.mcp("POST", "/mcp?tools=all", &[], &message("tools/list", json!({}))).await.0.json();
    let names: Vec<&str> =
        all["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"memory_add") && !names.contains(&"soul_write"), "{names:?}");
    for (path, body, headers, status) in [
        ("/mcp?tools=some", initialize(json!({})), vec![], 400),
        ("/mcp?toolz=all", initialize(json!({})), vec![], 400),
        ("/mcp", "[]".to_owned(), vec![], 400),
        ("/mcp", "{".to_owned(), vec![], 400),
        ("/mcp", json!({ "id": 1 }).to_string(), vec![], 400),
        ("/mcp", message("tools/list", json!({})), vec![("mcp-protocol-version", "1999-01-01")], 400),
        ("/mcp", message("tools/list", json!({})), vec![("mcp-method", "tools/call")], 400),
        ("/mcp", message("tools/list", json!({})), vec![("origin", "http://evil.test")], 403),
        ("/mcp", message("tools/call", json!({ "name": "x".repeat(10 << 20) })), vec![], 413),
    ] {
        let reply = served.mcp("POST", path, &headers, &body).await.0;
        assert_eq!(reply.status.as_u16(), status, "{path} {headers:?} {:?}", reply.json());
    }
}

#[tokio::test]
async fn a_token_bounds_the_tools() {
    let served = Served::reached_at([127, 0, 0, 1].into(), true, FILES);
    let list = message("tools/list", json!({}));
    assert_eq!(served.mcp("POST", "/mcp", &[], &list).await.0.status, StatusCode::UNAUTHORIZED);
    let offered = |reply: Reply| -> Vec<String> {
        let tools = reply.json()["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let path = "/mcp?tools=all&grant=soul.write";
    let reads = offered(served.bearing(&viewer(&served), "POST", path, &list).await);
    let writes = offered(served.bearing(&author(&served).1, "POST", path, &list).await);
    assert!(reads.contains(&"soul_history".to_owned()), "{reads:?}");
    for name in ["soul_write", "memory_add", "persona_adapt"] {
        assert!(!reads.contains(&name.to_owned()) && writes.contains(&name.to_owned()), "{name}");
    }
    // The session of one token is no other's.
    let begun = [("authorization", &*format!("Bearer {}", viewer(&served)))];
    let session = served.mcp("POST", "/mcp", &begun, &initialize(json!({}))).await.1.unwrap();
    let other = format!("Bearer {}", viewer(&served));
    let other = [("authorization", other.as_str()), ("mcp-session-id", session.as_str())];
    assert_eq!(served.mcp("POST", "/mcp", &other, &list).await.0.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_session_has_a_stream_of_what_changes() {
    let served = Served::with(FILES);
    let path = "/mcp?tools=all&grant=soul.write";
    let session = served.mcp("POST", path, &[], &initialize(json!({}))).await.1.unwrap();
    let named = [("mcp-session-id", session.as_str())];
    let follow = message("resources/subscribe", json!({ "uri": "soul://agent/ada" }));
    assert!(served.mcp("POST", path, &named, &follow).await.0.json()["result"].is_object());
    let open = Request::builder().uri(path).header("host", "localhost").header("accept", "text/event-stream");
    let open = open.header("mcp-session-id", &session).body(Body::empty()).unwrap();
    let response = served.router.clone().oneshot(open).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let again = served.mcp("GET", path, &named, "").await.0;
    assert_eq!(again.status, StatusCode::CONFLICT);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let write = json!({ "name": "soul_write", "arguments": { "agent": "ada", "body": "You are changed.\n",
        "expected_digest": served.ask("GET", "/api/agents/ada/soul", "").await.json()["digest"] } });
    let reply = served.mcp("POST", path, &named, &message("tools/call", write)).await.0.json();
    assert_eq!(reply["result"]["isError"], false, "{reply}");
    let mut stream = response.into_body().into_data_stream();
    let heard =
        tokio::time::timeout(std::time::Duration::from_secs(10), stream.next()).await.unwrap().unwrap().unwrap();
    let heard = String::from_utf8_lossy(&heard).into_owned();
    assert!(heard.contains("notifications/resources/updated") && heard.contains("soul://agent/ada"), "{heard}");
}

#[tokio::test]
async fn a_question_comes_in_the_stream_of_its_request() {
    let served = Served::with(FILES);
    let path = "/mcp?tools=all&grant=soul.write";
    let session = served.mcp("POST", path, &[], &initialize(json!({ "elicitation": {} }))).await.1.unwrap();
    let digest = served.ask("GET", "/api/agents/ada/soul", "").await.json()["digest"].clone();
    let arguments = json!({ "agent": "ada", "body": "You are asked.\n", "expected_digest": digest });
    let call = message("tools/call", json!({ "name": "soul_write", "arguments": arguments }));
    let request = Request::builder().method("POST").uri(path).header("host", "localhost");
    let request = request.header("accept", "application/json, text/event-stream").header("mcp-session-id", &session);
    let response = served.router.clone().oneshot(request.body(Body::from(call)).unwrap()).await.unwrap();
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    let mut stream = response.into_body().into_data_stream();
    let asked = String::from_utf8_lossy(&stream.next().await.unwrap().unwrap()).into_owned();
    let data = asked.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let asked: Value = serde_json::from_str(data).unwrap();
    assert_eq!(asked["method"], "elicitation/create");
    let answer = json!({ "action": "accept", "content": { "confirm": true } });
    let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }).to_string();
    let named = [("mcp-session-id", session.as_str())];
    assert_eq!(served.mcp("POST", path, &named, &answer).await.0.status, StatusCode::ACCEPTED);
    let done = String::from_utf8_lossy(&stream.next().await.unwrap().unwrap()).into_owned();
    assert!(done.contains("\"isError\":false"), "{done}");
}
