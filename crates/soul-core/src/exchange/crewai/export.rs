use serde_json::json;

use super::read::variables;
use crate::exchange::{Made, Material};
use crate::markup::yaml::field;

/// The backstory is the soul: CrewAI puts it into the system prompt as a whole.
pub(crate) fn export(material: &Material) -> Made {
    let backstory = material.whole(&[]);
    let about = material.about();
    let agent = json!({ "role": material.name, "goal": about, "backstory": backstory });
    let mut made = Made::text("agents.yaml", field(&material.id.replace('-', "_"), &agent));
    made.says = backstory;
    let names = variables(&made.says);
    if !names.is_empty() {
        let mut names: Vec<String> = names.into_iter().map(|name| format!("`{{{name}}}`")).collect();
        names.dedup();
        made.notes.push(format!(
            "CrewAI replaces {} by the inputs of a crew, and fails if one is missing; without inputs they stay",
            names.join(", ")
        ));
    }
    let reason = "it is about people and memories, not about who the agent is";
    material.personal().for_each(|path| made.drop(path, reason));
    made
}
