//! Every tool, resource and prompt once, with a structured result that has the shape of its schema.

use serde_json::{Value, json};
use soul_engine::Grant;

use super::{CODER, Connected, MEMORY};
use crate::mcp::tools::TOOLS;
use crate::mcp::{Options, Profile};

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}

fn check(name: &str, schema: &Value, result: &Value) {
    for key in schema["required"].as_array().unwrap() {
        assert!(result.get(key.as_str().unwrap()).is_some(), "{name}: {key} is missing: {result}");
    }
    for (key, value) in result.as_object().unwrap() {
        let schema = schema["properties"].get(key);
        let schema = schema.unwrap_or_else(|| panic!("{name}: `{key}` is not in the schema"));
        let kinds: Vec<&str> = match &schema["type"] {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => continue,
        };
        assert!(kinds.iter().any(|kind| is_of(kind, value)), "{name}: {key} is not {kinds:?}: {value}");
    }
}

#[tokio::test]
async fn every_tool_answers_in_the_shape_of_its_schema() {
    let client = Connected::new(Options { tools: Profile::All, grants: vec![Grant::Write], ..Options::default() });
    let listed = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let digest = client.done("soul_inspect", json!({ "agent": "coder" })).await["digest"].clone();
    let changed = CODER.replace("code", "tests");
    let files = json!({ "SOUL.md": CODER });
    let calls = [
        ("soul_list", json!({})),
        ("soul_inspect", json!({ "agent": "coder" })),
        ("soul_inspect", json!({ "body": "You are new.\n" })),
        ("soul_prompt", json!({ "agent": "coder", "task": "Review." })),
        ("soul_context", json!({ "soul": "ops" })),
        ("soul_validate", json!({ "agent": "coder", "body": changed })),
        ("soul_scan", json!({ "files": files })),
        ("soul_scan", json!({ "agent": "coder" })),
        ("soul_check", json!({ "agent": "coder" })),
        ("soul_convert", json!({ "agent": "coder", "to": "plain" })),
        (
            "soul_propose",
            json!({ "agent": "coder", "body": changed, "reason": "More tests.", "evidence": "A user asked." }),
        ),
        ("soul_write", json!({ "agent": "coder", "body": changed, "expected_digest": digest })),
        ("soul_history", json!({ "agent": "coder", "limit": 5, "diffs": true })),
        ("soul_diff", json!({ "agent": "coder", "from": "@-" })),
        ("soul_rollback_check", json!({ "current_files": { "SOUL.md": changed }, "original_files": files })),
        ("soul_search", json!({ "query": "review", "limit": 3 })),
        ("soul_get", json!({ "owner": "soulkeeper", "name": "code-reviewer" })),
        ("soul_install", json!({ "owner": "soulkeeper", "name": "code-reviewer" })),
        ("persona_show", json!({ "agent": "coder" })),
        ("persona_adapt", json!({ "agent": "coder", "trait": "openness", "delta": 0.05, "reason": "ideas" })),
        ("memory_search", json!({ "agent": "coder", "query": "staging", "limit": 3, "enhanced": false })),
        ("memory_search", json!({ "all_agents": true, "query": "staging" })),
        ("memory_search", json!({ "query": "staging", "memory_dir": "notes" })),
        ("memory_detail", json!({ "agent": "coder", "file": "MEMORY.md", "line": 3 })),
        ("memory_detail", json!({ "agent": "coder", "file": "MEMORY.md", "line": 3, "lines": 2 })),
        ("memory_detail", json!({ "memory_dir": "notes", "file": "MEMORY.md" })),
        ("memory_status", json!({ "agent": "coder" })),
        ("memory_status", json!({ "memory_dir": "notes" })),
        ("memory_add", json!({ "agent": "coder", "text": "A note." })),
    ];
    for (name, arguments) in &calls {
        let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == *name).unwrap();
        check(name, &tool["outputSchema"], &client.done(name, arguments.clone()).await);
    }
    // It needs a remote, which only an administrator connects; the engine's tests call it with one.
    for tool in TOOLS.iter().filter(|tool| tool.name != "memory_sync") {
        assert!(calls.iter().any(|(name, _)| *name == tool.name), "{} is not called", tool.name);
    }
    let lines =
        client.done("memory_detail", json!({ "agent": "coder", "file": "MEMORY.md", "line": 3, "lines": 3 })).await;
    assert_eq!(lines["text"], "## Servers\n\nStaging is on port 8443.\n");
}

#[tokio::test]
async fn resources_and_prompts_are_those_of_agents_and_library() {
    let client = Connected::all();
    let listed = client.ask("resources/list", json!({})).await["result"]["resources"].clone();
    let uris: Vec<&str> = listed.as_array().unwrap().iter().map(|entry| entry["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["soul://agent/coder", "soul://agent/other", "soul://agent/scout", "soul://library/ops"]);
    let read = |uri: String| {
        let client = &client;
        async move { client.ask("resources/read", json!({ "uri": uri })).await["result"]["contents"][0]["text"].clone() }
    };
    assert_eq!(read("soul://agent/coder".into()).await, CODER);
    assert_eq!(read("soul://library/ops".into()).await, "You run things.\n".trim_end());
    assert_eq!(read("memory://coder/MEMORY.md".into()).await, MEMORY);
    assert_eq!(read("memory://coder/MEMORY.md#Deploys".into()).await, "## Deploys\n\nOn Mondays.\n");
    let missing = client.ask("resources/read", json!({ "uri": "soul://agent/nobody" })).await;
    assert_eq!(missing["error"]["code"], -32002);
    let prompts = client.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    let names: Vec<&str> = prompts.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["agent/coder", "agent/other", "agent/scout", "library/ops"]);
    for name in names {
        let got = client.ask("prompts/get", json!({ "name": name, "arguments": { "task": "Review it." } })).await;
        let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_else(|| panic!("{got}"));
        assert!(text.contains("Review it."), "{text}");
    }
    for name in ["agent/nobody", "coder", "agent/..", "library/gone"] {
        assert_eq!(client.ask("prompts/get", json!({ "name": name })).await["error"]["code"], -32602, "{name}");
    }
    let reference = json!({ "type": "ref/resource", "uri": "soul://agent/{name}" });
    let typed = json!({ "ref": reference, "argument": { "name": "name", "value": "co" } });
    let completed = client.ask("completion/complete", typed).await["result"]["completion"]["values"].clone();
    assert_eq!(completed, json!(["coder"]));
}
