use serde_json::json;

use super::manifest::BOOTSTRAP_FILES;
use crate::exchange::{Made, Material};
use crate::markup::yaml::field;
use crate::model::Field;

/// A package whose body is the soul; what OpenClaw reads by itself goes beside it.
pub(crate) fn export(material: &Material) -> Made {
    let beside = |path: &&str| *path != "SOUL.md" && material.files.contains_key(*path);
    let kept: Vec<&str> = BOOTSTRAP_FILES.iter().copied().filter(beside).collect();
    let body = material.whole(&kept);
    let id = agent_id(&material.id);
    let mut manifest = field("schemaVersion", &json!(1));
    let mut agent = json!({ "id": id, "name": material.name.trim() });
    if let Some(text) = material.short(Field::Description).first().or(material.short(Field::Role).first()) {
        agent["description"] = text.as_str().into();
    }
    manifest.push_str(&field("agent", &agent));
    if !kept.is_empty() {
        let sources = kept.iter().map(|path| ((*path).to_owned(), json!({ "source": format!("workspace/{path}") })));
        let sources: serde_json::Map<_, _> = sources.collect();
        manifest.push_str(&field("workspace", &json!({ "bootstrapFiles": sources })));
    }
    let mut made = Made { says: body.clone(), ..Made::default() };
    made.file("CLAW.md", format!("---\n{manifest}---\n{body}"));
    let package = json!({ "name": id, "version": version(material), "openclaw": { "claw": "CLAW.md" } });
    made.file("package.json", format!("{package:#}\n"));
    for path in kept {
        let bytes = material.files.get(path).cloned().unwrap_or_default();
        made.says.push_str(&String::from_utf8_lossy(&bytes));
        made.file(format!("workspace/{path}"), bytes);
    }
    let reason = "it is about people and memories, not about who the agent is";
    material.personal().for_each(|path| made.drop(path, reason));
    made
}

/// OpenClaw's ids begin with a letter.
fn agent_id(id: &str) -> String {
    let id: String = id.chars().map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' }).collect();
    let id = id.trim_matches('-');
    let id = if id.starts_with(|c: char| c.is_ascii_lowercase()) { id.to_owned() } else { format!("agent-{id}") };
    id.trim_end_matches('-').chars().take(64).collect()
}

fn version(material: &Material) -> String {
    let said = material.short(Field::Version).into_iter().find(|version| super::values::is_exact_version(version));
    said.unwrap_or_else(|| "0.1.0".to_owned())
}
