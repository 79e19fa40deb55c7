//! What the list of tools costs a model.

use serde_json::{Value, json};

use super::Connected;
use crate::mcp::Options;
use crate::mcp::tools::TOOLS;

/// The estimate that prompts use.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[tokio::test]
async fn the_core_tools_are_below_2000_tokens() {
    let client = Connected::new(Options::default());
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    let offered: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let core = [
        "soul_list",
        "soul_inspect",
        "soul_prompt",
        "soul_context",
        "soul_validate",
        "soul_scan",
        "soul_propose",
        "memory_search",
        "memory_detail",
    ];
    assert_eq!(offered, core);
    let cost = |tool: &Value| {
        let text = format!("{}{}{}", tool["name"], tool["description"], tool["inputSchema"]);
        tokens(&text)
    };
    let total: usize = tools.iter().map(cost).sum();
    assert!(
        total < 2000,
        "{total} tokens: {:?}",
        tools.iter().map(|tool| (&tool["name"], cost(tool))).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn all_tools_are_below_24000_bytes_and_name_the_top_level_only() {
    let mut options = Options { tools: crate::mcp::Profile::All, ..Options::default() };
    options.grants.push(soul_engine::Grant::Write);
    let client = Connected::new(options);
    let listed = client.ask("tools/list", json!({})).await["result"].clone();
    assert!(listed.to_string().len() < 24_000, "{} bytes", listed.to_string().len());
    let tools = listed["tools"].as_array().unwrap();
    assert_eq!(tools.len(), TOOLS.len());
    for tool in tools {
        let name = &tool["name"];
        assert!(!tool["description"].as_str().unwrap().is_empty(), "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        let output = tool["outputSchema"]["properties"].as_object().unwrap();
        assert!(!output.is_empty(), "{name}");
        for (key, schema) in output {
            assert!(schema.as_object().unwrap().keys().all(|key| key == "type"), "{name} {key}: {schema}");
        }
        // Every key of the table is one of the operation.
        let row = TOOLS.iter().find(|row| name == row.name).unwrap();
        for key in row.keys {
            assert!(tool["inputSchema"]["properties"].get(*key).is_some(), "{name} has no `{key}`");
        }
        for key in row.drops.iter().filter(|key| !key.contains('.')) {
            assert!(output.get(*key).is_none(), "{name} {key}");
        }
    }
}
