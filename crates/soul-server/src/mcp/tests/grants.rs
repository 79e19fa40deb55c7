//! What a client is offered and may do, and who goes on record.

use serde_json::{Value, json};
use soul_engine::Grant;

use super::{CODER, Connected};
use crate::mcp::{Options, Profile};

fn options(agent: Option<&str>, grants: &[Grant], read_only: bool) -> Options {
    let agent = agent.map(|name| name.parse().unwrap());
    Options { tools: Profile::All, agent, read_only, grants: grants.to_vec() }
}

#[tokio::test]
async fn options_bound_what_is_offered() {
    let offered = |options: Options| async move { Connected::new(options).tools().await };
    let all = offered(options(None, &[Grant::Write], false)).await;
    let usual = offered(options(None, &[], false)).await;
    let reading = offered(options(None, &[Grant::Write], true)).await;
    let missing = |less: &[String]| all.iter().filter(|name| !less.contains(name)).cloned().collect::<Vec<_>>();
    assert_eq!(missing(&usual), ["soul_write", "soul_install"]);
    for name in ["soul_write", "persona_adapt", "memory_add"] {
        assert!(missing(&reading).contains(&name.to_owned()), "{name}");
    }
    let memory = offered(Options { tools: Profile::Memory, ..Options::default() }).await;
    assert_eq!(memory, ["memory_search", "memory_detail", "memory_status", "memory_sync", "memory_add"]);
    let client = Connected::new(options(None, &[], true));
    for (name, arguments) in [
        ("soul_write", json!({ "agent": "coder", "body": "x" })),
        ("memory_add", json!({ "agent": "coder", "text": "x" })),
    ] {
        assert_eq!(client.refused(name, arguments).await, "tool_not_offered");
    }
}

#[tokio::test]
async fn a_change_names_the_client() {
    let client = Connected::new(options(None, &[Grant::Write], false));
    client.initialize(json!({})).await;
    let digest = client.done("soul_inspect", json!({ "agent": "coder" })).await["digest"].clone();
    let body = CODER.replace("write", "review");
    let written = client.done("soul_write", json!({ "agent": "coder", "body": body, "expected_digest": digest })).await;
    assert_eq!(written["revision"]["actor"], json!({ "kind": "client", "ref": "probe 1.2" }), "{written}");
    assert_eq!(written["revision"]["origin"], json!({ "kind": "mcp", "ref": "write" }));
    let stale = json!({ "agent": "coder", "body": CODER, "expected_digest": digest });
    assert_eq!(client.refused("soul_write", stale).await, "soul_conflict");
    let history = client.done("soul_history", json!({ "agent": "coder" })).await;
    assert_eq!(history["revisions"][0]["actor"]["kind"], "client");
}

#[tokio::test]
async fn an_agent_is_meant_unless_another_is_named_and_changes_only_its_own() {
    let client = Connected::new(options(Some("coder"), &[], false));
    client.initialize(json!({})).await;
    assert_eq!(client.done("soul_context", json!({})).await["agent"], "coder");
    assert_eq!(client.done("soul_context", json!({ "agent": "other" })).await["agent"], "other");
    assert_eq!(client.done("soul_context", json!({ "soul": "ops" })).await["agent"], Value::Null);
    let hits = client.done("memory_search", json!({ "query": "staging" })).await;
    assert_eq!(hits["results"][0]["section"], "Servers");
    client.done("memory_add", json!({ "text": "The port is 9443 now." })).await;
    assert_eq!(client.refused("memory_add", json!({ "agent": "other", "text": "x" })).await, "not_granted");
    let adapted = json!({ "trait": "openness", "delta": 0.05, "reason": "curious" });
    client.done("persona_adapt", adapted).await;
}

#[tokio::test]
async fn an_agent_proposes_changes_of_its_own_soul() {
    let client = Connected::new(options(Some("coder"), &[Grant::Write], false));
    client.initialize(json!({})).await;
    let digest = |agent: &'static str| {
        let client = &client;
        async move { client.done("soul_inspect", json!({ "agent": agent })).await["digest"].clone() }
    };
    for agent in [json!("coder"), Value::Null] {
        let write = json!({ "agent": agent, "body": "You rule.\n", "expected_digest": digest("coder").await });
        assert_eq!(client.refused("soul_write", write).await, "self_edit");
    }
    let proposed = client.done("soul_propose", json!({ "body": "You review.\n", "reason": "It is better." })).await;
    assert_eq!(proposed["proposal"]["state"], "pending", "{proposed}");
    assert_eq!(proposed["proposal"]["proposer"], json!({ "kind": "agent", "ref": "coder" }));
    assert_eq!(client.done("soul_inspect", json!({})).await["digest"], digest("coder").await);
    let other = json!({ "agent": "other", "body": "You rule.\n", "expected_digest": digest("other").await });
    client.done("soul_write", other).await;
}

#[tokio::test]
async fn a_client_that_can_ask_is_asked_before_something_is_replaced() {
    for (action, confirm, is_done) in [("accept", true, true), ("accept", false, false), ("decline", true, false)] {
        let mut client = Connected::new(options(None, &[Grant::Write], false));
        client.initialize(json!({ "elicitation": {} })).await;
        let digest = client.done("soul_inspect", json!({ "agent": "coder" })).await["digest"].clone();
        let arguments = json!({ "agent": "coder", "body": "You review.\n", "expected_digest": digest });
        let (session, sink) = (client.session.clone(), client.sink.clone());
        let call = tokio::spawn(async move {
            let params = json!({ "name": "soul_write", "arguments": arguments });
            let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
            let Ok(super::Message::Request(request)) = super::Message::read(message, 0) else { panic!() };
            session.respond(request, &sink).await.unwrap()
        });
        let question = client.said.recv().await.unwrap();
        assert_eq!(question["method"], "elicitation/create");
        let answer = json!({ "action": action, "content": { "confirm": confirm } });
        client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })).await;
        let result = call.await.unwrap()["result"].clone();
        assert_eq!(result["isError"], !is_done, "{result}");
        let code = &result["_meta"]["soulkeeper/error"]["code"];
        assert!(is_done || code == "not_confirmed", "{result}");
    }
}
