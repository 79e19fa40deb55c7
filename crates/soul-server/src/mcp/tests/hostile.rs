//! Calls that no honest client makes.

use serde_json::{Value, json};
use soul_engine::Grant;

use super::{CODER, Connected};
use crate::mcp::{Options, Profile};

#[tokio::test]
async fn wrong_arguments_are_results_with_a_code() {
    let client = Connected::all();
    for (name, arguments) in [
        ("soul_inspect", json!("coder")),
        ("soul_inspect", json!(["coder"])),
        ("soul_inspect", json!({ "agent": 7 })),
        ("soul_inspect", json!({ "agent": ["coder"] })),
        ("soul_inspect", json!({ "agnet": "coder" })),
        ("soul_inspect", json!({ "must_be_valid": true, "agent": "coder" })),
        ("soul_inspect", json!({})),
        ("soul_context", json!({ "agent": "coder", "soul": "ops" })),
        ("soul_validate", json!({ "targets": [{ "agent": "coder" }] })),
        ("soul_check", json!({ "agent": "coder", "fix": "write" })),
        ("soul_scan", json!({ "files": ["x"] })),
        ("soul_scan", json!({ "files": { "SOUL.md": "x" }, "api_key": "k" })),
        ("soul_scan", json!({ "output_dir": "/tmp" })),
        ("soul_rollback_check", json!({ "current_files": {} })),
        ("memory_search", json!({ "agent": "coder", "query": { "text": "x" } })),
        ("memory_search", json!({ "agent": "coder", "query": "x", "limit": -1 })),
        ("memory_search", json!({ "agent": "coder", "query": "x", "limit": 1e9 })),
        ("memory_search", json!({ "agent": "coder", "query": "x", "memory_dir": "notes" })),
        ("memory_search", json!({ "query": "x", "memory_dir": 7 })),
        ("memory_detail", json!({ "agent": "coder", "file": "MEMORY.md", "lines": 0 })),
        ("memory_detail", json!({ "agent": "coder", "file": "MEMORY.md", "line": 999, "lines": 5 })),
        ("persona_adapt", json!({ "agent": "coder", "trait": "openness", "delta": "much", "reason": "x" })),
        ("soul_inspect", json!({ "body": [] })),
        ("soul_validate", json!({ "body": [89, 111, 117] })),
        ("soul_inspect", json!({ "agent": "coder", "dialect": "" })),
        ("soul_inspect", json!({ "agent": "coder", "dialect": " " })),
        ("soul_prompt", json!({ "agent": "coder", "layer": "" })),
        ("soul_scan", json!({ "files": { "SOUL.md": [72] } })),
        ("soul_propose", json!({ "agent": "coder", "edits": [{ "section": "Style", "action": "", "text": "x" }] })),
        ("soul_propose", json!({ "agent": "coder", "edits": [{ "section": "Style", "action": "add", "text": 7 }] })),
        ("memory_add", json!({ "agent": "coder", "text": "x", "topic": [] })),
    ] {
        let code = client.refused(name, arguments.clone()).await;
        assert!(["bad_request", "bad_limit"].contains(&code.as_str()), "{name} {arguments}: {code}");
    }
    assert_eq!(client.refused("soul_inspect", json!({ "agent": "nobody" })).await, "agent_not_found");
    // What is null is left out.
    client.done("memory_search", json!({ "agent": "coder", "query": "x", "limit": 5, "topic": null })).await;
    client.done("soul_inspect", json!({ "agent": "coder", "dialect": null })).await;
}

#[tokio::test]
async fn nothing_is_read_outside() {
    let client = Connected::all();
    #[cfg(unix)]
    std::os::unix::fs::symlink(client.root.path().join("outside"), client.root.path().join("team/link")).unwrap();
    let root = client.root.path().to_str().unwrap().to_owned();
    for directory in ["..", "../outside", "../home", "/etc", "link", "notes/../../outside", &format!("{root}/outside")]
    {
        for (name, arguments) in [
            ("memory_search", json!({ "query": "staging", "memory_dir": directory })),
            ("memory_status", json!({ "memory_dir": directory })),
            ("memory_detail", json!({ "file": "MEMORY.md", "memory_dir": directory })),
        ] {
            assert_eq!(client.refused(name, arguments).await, "memory_dir_outside", "{directory}");
        }
    }
    let files = ["../other/SOUL.md", "../../../outside/MEMORY.md", "/etc/hostname", "SOUL.md", "memory/../../x.md", ""];
    for file in files {
        for arguments in [json!({ "agent": "coder", "file": file }), json!({ "memory_dir": "notes", "file": file })] {
            client.refused("memory_detail", arguments).await;
        }
        let uri = format!("memory://coder/{file}");
        let read = client.ask("resources/read", json!({ "uri": uri })).await;
        assert!(read["error"]["code"].is_i64(), "{read}");
    }
    for agent in ["..", "../other", "a/b", "", "\0"] {
        client.refused("soul_inspect", json!({ "agent": agent })).await;
    }
    for uri in ["file:///etc/passwd", "soul://agent/..", "soul://agent/%2e%2e", "memory://../x", "", "x"] {
        let read = client.ask("resources/read", json!({ "uri": uri })).await;
        assert!(read["error"]["code"].is_i64(), "{uri} {read}");
    }
    // A directory that is inside is searched.
    let hits = client.done("memory_search", json!({ "query": "staging", "memory_dir": "./notes" })).await;
    assert_eq!(hits["results"][0]["file"], "MEMORY.md");
}

#[tokio::test]
async fn large_arguments_are_refused_before_they_are_used() {
    let client = Connected::all();
    let huge = "x".repeat(10 << 20);
    for arguments in [json!({ "body": huge }), json!({ "files": { "SOUL.md": huge } })] {
        assert_eq!(client.refused("soul_scan", arguments).await, "arguments_too_large");
    }
    assert_eq!(
        client.refused("memory_search", json!({ "agent": "coder", "query": huge })).await,
        "arguments_too_large"
    );
}

#[tokio::test]
async fn broken_envelopes_and_unknown_tools_are_errors_of_the_protocol() {
    let client = Connected::all();
    let code = |answer: Option<Value>| answer.unwrap()["error"]["code"].as_i64().unwrap();
    for (message, expected) in [
        (json!([]), -32600),
        (json!("x"), -32600),
        (json!({ "id": 1, "method": "ping" }), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1 }), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }), -32600),
        (json!({ "jsonrpc": "2.0", "id": {}, "method": "ping" }), -32600),
        (json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": [] }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/steal" }), -32601),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {} }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "soul_steal" } }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "token.create" } }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "cursor": "x" } }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": { "level": "loud" } }), -32602),
    ] {
        assert_eq!(code(client.send(message.clone()).await), expected, "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_at_once_are_all_answered() {
    let client = Connected::new(Options { tools: Profile::All, grants: vec![Grant::Write], ..Options::default() });
    client.initialize(json!({})).await;
    let calls = (0..1000).map(|number| {
        let (name, arguments) = match number % 5 {
            0 => ("soul_inspect", json!({ "agent": "coder" })),
            1 => ("memory_search", json!({ "agent": "coder", "query": "staging" })),
            2 => ("soul_context", json!({ "agent": "nobody" })),
            3 => ("soul_list", json!({})),
            _ => ("memory_add", json!({ "agent": "coder", "text": format!("note {number}"), "topic": "load" })),
        };
        let params = json!({ "name": name, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params });
        let client = &client;
        async move { (number, client.send(message).await.unwrap()) }
    });
    let answers = futures_util::future::join_all(calls).await;
    for (number, answer) in &answers {
        assert_eq!(answer["id"], *number);
        assert_eq!(answer["result"]["isError"], number % 5 == 2, "{answer}");
    }
    let notes = std::fs::read_to_string(client.root.path().join("home/agents/coder/memory/topic-load.md")).unwrap();
    assert_eq!(notes.matches("note ").count(), 200, "nothing is lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_has_begun_is_finished_when_its_client_is_gone() {
    let client = Connected::new(Options { tools: Profile::All, grants: vec![Grant::Write], ..Options::default() });
    let file = client.root.path().join("home/agents/coder/SOUL.md");
    for round in 0..20 {
        let digest = client.done("soul_inspect", json!({ "agent": "coder" })).await["raw_digest"].clone();
        let body = CODER.replace("code", &format!("code, {round}"));
        let arguments = json!({ "agent": "coder", "body": body, "expected_digest": digest });
        let params = json!({ "name": "soul_write", "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": round, "method": "tools/call", "params": params });
        let call = client.send(message);
        // Somewhere between nothing and everything.
        let _ = tokio::time::timeout(std::time::Duration::from_micros(200 * round), call).await;
        // The rest of the write takes as long as the machine lets it.
        for waited in 0.. {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("---\nname: Coder") && text.ends_with(".\n"), "{text}");
            let head = client.done("soul_history", json!({ "agent": "coder" })).await["revisions"][0].clone();
            let inspected = client.done("soul_inspect", json!({ "agent": "coder" })).await;
            if head.is_null() || head["raw_digest"] == inspected["raw_digest"] {
                break;
            }
            assert!(waited < 200, "the record is not the file: {head} {inspected}");
        }
    }
}
