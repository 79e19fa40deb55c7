use serde_json::Value;

use super::Document;
use crate::markup::yaml::{Tree, YAML2};

impl Document {
    /// The tools that the package brings, one a line: what each is called, and what it does.
    pub(crate) fn tools(&self) -> String {
        let tool = |text: &str| {
            let tree = Tree::parse(text).ok()?;
            let tool = tree.root_id().and_then(|root| tree.to_json(root, &YAML2).ok())?;
            let word = |key: &str| tool.get(key).and_then(Value::as_str).map(|text| text.split_whitespace());
            let name = word("name")?.collect::<Vec<_>>().join(" ");
            let description = word("description").map(|words| words.collect::<Vec<_>>().join(" "));
            Some(description.map_or_else(|| format!("- {name}"), |description| format!("- {name}: {description}")))
        };
        let is_tool = |path: &str| path.starts_with("tools/") && (path.ends_with(".yaml") || path.ends_with(".yml"));
        let files = self.files.iter().filter(|(path, _)| is_tool(path));
        files.filter_map(|(_, source)| tool(source.text()?)).collect::<Vec<_>>().join("\n")
    }
}
