//! The tools of a package as the result of MCP's `tools/list`.

use serde_json::{Map, Value, json};

use super::{Made, Material};
use crate::markup::yaml::{Tree, YAML2};

pub(super) fn export(material: &Material) -> Made {
    // The list is no prompt: that it says no limit is not a loss.
    let mut made = Made { says: material.whole(&[]), ..Made::default() };
    let mut tools = Vec::new();
    for (path, text) in material.tools() {
        match tool(text) {
            Ok(tool) => tools.push(tool),
            Err(reason) => made.drop(path, reason),
        }
    }
    if tools.is_empty() {
        made.notes.push("the soul has no tools: tools/*.yaml defines them".to_owned());
    }
    made.drop("SOUL.md", "a list of tools says nothing about who the agent is");
    made.file("tools.json", format!("{:#}\n", json!({ "tools": tools })));
    made
}

/// The keys of a tool as MCP spells them.
fn tool(text: &str) -> Result<Value, &'static str> {
    let tree = Tree::parse(text).map_err(|_| "it is not YAML")?;
    let root = tree.root_id().ok_or("it is empty")?;
    let read = tree.to_json(root, &YAML2).map_err(|_| "it is not YAML")?;
    let mut fields = read.as_object().cloned().ok_or("it is not a mapping")?;
    let name = fields.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let mut tool = Map::new();
    tool.insert("name".to_owned(), name.ok_or("it has no name")?.into());
    let schema = ["inputSchema", "input_schema", "parameters"].into_iter().find_map(|key| fields.remove(key));
    for key in ["title", "description"] {
        if let Some(text) = fields.remove(key).filter(Value::is_string) {
            tool.insert(key.to_owned(), text);
        }
    }
    let schema = schema.filter(Value::is_object).unwrap_or_else(|| json!({ "type": "object" }));
    tool.insert("inputSchema".to_owned(), schema);
    for (from, to) in
        [("outputSchema", "outputSchema"), ("output_schema", "outputSchema"), ("annotations", "annotations")]
    {
        if let Some(value) = fields.remove(from).filter(Value::is_object) {
            tool.insert(to.to_owned(), value);
        }
    }
    Ok(Value::Object(tool))
}
