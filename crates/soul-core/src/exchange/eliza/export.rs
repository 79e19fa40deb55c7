use serde_json::json;

use crate::exchange::{Made, Material};
use crate::model::Field;

/// The soul is the system prompt; lists that ElizaOS has keys for are given there too.
pub(crate) fn export(material: &Material) -> Made {
    let system = material.whole(&["examples/good-outputs.md", "examples/bad-outputs.md"]);
    let words = |field: Field| -> Vec<String> {
        material.short(field).into_iter().filter(|text| text.split(' ').count() <= 3 && text.len() <= 40).collect()
    };
    let mut character = json!({
        "name": material.name,
        "username": material.id,
        "system": system,
        "bio": [material.about()],
    });
    for (key, values) in [("topics", words(Field::Tag)), ("adjectives", words(Field::Tone))] {
        if !values.is_empty() {
            character[key] = values.into();
        }
    }
    let style = material.short(Field::Style).into_iter().filter(|text| text.len() <= 200).collect::<Vec<_>>();
    if !style.is_empty() {
        character["style"] = json!({ "all": style });
    }
    let mut made = Made::text("character.json", format!("{character:#}\n"));
    made.says = system;
    if material.examples().is_some() {
        made.drop("examples/good-outputs.md", "ElizaOS wants examples as conversations");
    }
    let reason = "it is about people and memories, not about who the agent is";
    material.personal().for_each(|path| made.drop(path, reason));
    made
}
