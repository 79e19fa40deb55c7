//! Versions, pages, cancellation, progress, logs and subscriptions.

use serde_json::{Value, json};
use soul_engine::Grant;

use super::{CODER, Connected, put};
use crate::mcp::{Options, Profile};

const PREFIX: &str = "io.modelcontextprotocol/";

fn meta(version: &str) -> Value {
    json!({
        format!("{PREFIX}protocolVersion"): version,
        format!("{PREFIX}clientInfo"): { "name": "modern", "version": "3" },
        format!("{PREFIX}clientCapabilities"): { "elicitation": {} },
    })
}

#[tokio::test]
async fn versions_are_negotiated() {
    let client = Connected::all();
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let answer = client.ask("initialize", json!({ "protocolVersion": asked, "capabilities": {} })).await;
        assert_eq!(answer["result"]["protocolVersion"], given);
    }
    assert!(client.ask("initialize", json!({})).await["error"]["code"].is_i64());
    let found = client.ask("server/discover", json!({ "_meta": meta("2026-07-28") })).await["result"].clone();
    assert_eq!(found["supportedVersions"][0], "2026-07-28");
    let listed = client.ask("tools/list", json!({ "_meta": meta("2026-07-28") })).await["result"].clone();
    assert_eq!((&listed["resultType"], &listed["cacheScope"]), (&json!("complete"), &json!("private")));
    let refused = client.ask("tools/list", json!({ "_meta": meta("2027-01-01") })).await;
    assert_eq!(refused["error"]["code"], -32022);
    assert_eq!(refused["error"]["data"]["supported"][0], "2026-07-28");
}

#[tokio::test]
async fn without_a_handshake_a_question_is_a_result() {
    let client = Connected::new(Options { tools: Profile::All, grants: vec![Grant::Write], ..Options::default() });
    let digest = client.done("soul_inspect", json!({ "agent": "coder" })).await["digest"].clone();
    let arguments = json!({ "agent": "coder", "body": CODER.replace("code", "tests"), "expected_digest": digest });
    let mut params = json!({ "name": "soul_write", "arguments": arguments, "_meta": meta("2026-07-28") });
    let asked = client.ask("tools/call", params.clone()).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked["inputRequests"]["confirm"]["method"], "elicitation/create");
    params["inputResponses"] = json!({ "confirm": { "action": "accept", "content": { "confirm": true } } });
    let done = client.ask("tools/call", params).await["result"].clone();
    assert_eq!(done["isError"], false, "{done}");
    assert_eq!(done["structuredContent"]["revision"]["actor"]["ref"], "modern 3");
}

#[tokio::test]
async fn lists_have_pages() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..250 {
        put(root.path(), &format!("home/agents/agent-{number:03}/SOUL.md"), "You are one of many.\n");
    }
    let client = Connected::on(root, Options::default());
    for (method, key) in [("resources/list", "resources"), ("prompts/list", "prompts")] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
        loop {
            let page = client.ask(method, json!({ "cursor": cursor })).await["result"].clone();
            let names = page[key].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned());
            // The library has a soul of its own.
            seen.extend(names.filter(|name| name.contains("agent-")));
            (cursor, pages) = (page["nextCursor"].clone(), pages + 1);
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!((seen.len(), pages), (250, 3));
        seen.dedup();
        assert_eq!(seen.len(), 250);
    }
}

#[tokio::test]
async fn a_cancelled_request_gets_no_answer() {
    let client = Connected::all();
    let session = client.session.clone();
    let sink = client.sink.clone();
    // It never ends by itself.
    let params = json!({ "_meta": meta("2026-07-28"), "notifications": {} });
    let message = json!({ "jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": params });
    let Ok(super::Message::Request(request)) = super::Message::read(message, 0) else { panic!() };
    let waiting = tokio::spawn(async move { session.respond(request, &sink).await });
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } });
    assert!(client.send(cancelled).await.is_none());
    assert!(waiting.await.unwrap().is_none());
}

#[tokio::test]
async fn progress_and_logs_are_sent_to_those_who_want_them() {
    let mut client = Connected::all();
    client.initialize(json!({})).await;
    client.ask("logging/setLevel", json!({ "level": "warning" })).await;
    let arguments = json!({ "agent": "coder", "query": "staging" });
    let params = json!({ "name": "memory_search", "arguments": arguments, "_meta": { "progressToken": "p" } });
    client.ask("tools/call", params).await;
    client.call("soul_inspect", json!({ "agent": "nobody" })).await;
    let (mut progress, mut logs) = (0, Vec::new());
    while let Ok(message) = client.said.try_recv() {
        match message["method"].as_str().unwrap() {
            "notifications/progress" => {
                assert_eq!(message["params"]["progressToken"], "p");
                progress += 1;
            }
            "notifications/message" => logs.push(message["params"]["level"].clone()),
            other => panic!("{other}"),
        }
    }
    assert!(progress > 0);
    assert_eq!(logs, ["warning"]);
}

#[tokio::test]
async fn only_what_exists_can_be_followed() {
    let mut client = Connected::all();
    client.initialize(json!({})).await;
    let missing = [
        "x",
        "soul://agent/nobody",
        "soul://library/none",
        "memory://coder/memory/gone.md",
        "memory://nobody/MEMORY.md",
    ];
    for uri in missing {
        let answer = client.ask("resources/subscribe", json!({ "uri": uri })).await;
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
    let uris = [missing.as_slice(), &["soul://library/ops", "memory://coder/MEMORY.md#Servers"]].concat();
    let notifications = json!({ "resourceSubscriptions": uris });
    let params = json!({ "_meta": meta("2026-07-28"), "notifications": notifications });
    let message = json!({ "jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": params });
    let Ok(super::Message::Request(request)) = super::Message::read(message, 0) else { panic!() };
    let (session, sink) = (client.session.clone(), client.sink.clone());
    let listening = tokio::spawn(async move { session.respond(request, &sink).await });
    let accepted = client.said.recv().await.unwrap();
    let accepted = &accepted["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(*accepted, json!(["soul://library/ops", "memory://coder/MEMORY.md#Servers"]));
    listening.abort();
}

#[tokio::test]
async fn subscriptions_fire_on_changes_and_for_nothing_else() {
    let mut client = Connected::new(Options { tools: Profile::All, grants: vec![Grant::Write], ..Options::default() });
    put(client.root.path(), "home/agents/coder/memory/topic-ports.md", "# ports\n");
    client.initialize(json!({})).await;
    let followed = ["soul://agent/%63oder", "memory://coder/MEMORY.md", "memory://coder/memory/topic-ports.md"];
    for uri in [followed.as_slice(), &["soul://agent/other"]].concat() {
        let answer = client.ask("resources/subscribe", json!({ "uri": uri })).await;
        assert!(answer["result"].is_object(), "{answer}");
    }
    client.ask("resources/unsubscribe", json!({ "uri": "soul://agent/other" })).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    for agent in ["coder", "other"] {
        let digest = client.done("soul_inspect", json!({ "agent": agent })).await["digest"].clone();
        client.done("soul_write", json!({ "agent": agent, "body": "You changed.\n", "expected_digest": digest })).await;
    }
    client.done("memory_add", json!({ "agent": "coder", "text": "A note.", "topic": "ports" })).await;
    // Another program, which knows nothing of the server.
    put(client.root.path(), "home/agents/coder/MEMORY.md", "# Memory\n\nAll is new.\n");
    let mut heard = Vec::new();
    // A busy machine looks late; when all three were heard, a short silence shows that there is no fourth.
    let patience = |heard: usize| std::time::Duration::from_millis(if heard < followed.len() { 20_000 } else { 1000 });
    while let Ok(said) = tokio::time::timeout(patience(heard.len()), client.said.recv()).await {
        let said = said.unwrap();
        assert_eq!(said["method"], "notifications/resources/updated");
        heard.push(said["params"]["uri"].as_str().unwrap().to_owned());
    }
    heard.sort();
    assert_eq!(heard, ["memory://coder/MEMORY.md", "memory://coder/memory/topic-ports.md", "soul://agent/%63oder"]);
}
