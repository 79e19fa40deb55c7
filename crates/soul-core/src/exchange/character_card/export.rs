use serde_json::{Value, json};

use crate::exchange::{Made, Material};
use crate::model::Field;

/// The same card in both versions: programs that know V3 prefer it, the others read V2.
pub(crate) fn export(material: &Material) -> Made {
    let system = material.whole(&["examples/good-outputs.md", "examples/bad-outputs.md"]);
    let limits: Vec<String> = [Field::Limit, Field::MustAlways, Field::MustNever]
        .into_iter()
        .flat_map(|field| material.short(field))
        .map(|limit| format!("- {limit}"))
        .collect();
    let mut data = json!({
        "name": material.name,
        "description": material.about(),
        "personality": material.short(Field::Tone).join(", "),
        "scenario": "",
        "first_mes": "",
        "mes_example": material.examples().unwrap_or_default(),
        "creator_notes": "",
        "system_prompt": system,
        // Cards repeat this after the conversation, which is where limits get lost.
        "post_history_instructions": limits.join("\n"),
        "alternate_greetings": [],
        "tags": material.short(Field::Tag),
        "creator": "",
        "character_version": material.short(Field::Version).into_iter().next().unwrap_or_default(),
        "extensions": {},
    });
    let v2 = json!({ "spec": "chara_card_v2", "spec_version": "2.0", "data": data });
    data["group_only_greetings"] = json!([]);
    data["assets"] = json!([{ "type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png" }]);
    let v3 = json!({ "spec": "chara_card_v3", "spec_version": "3.0", "data": data });
    let mut made = Made { says: system, ..Made::default() };
    let written = |card: &Value| format!("{card:#}\n");
    made.file(format!("{}.v3.json", material.id), written(&v3));
    made.file(format!("{}.v2.json", material.id), written(&v2));
    let macros = ["{{char}}", "{{user}}"].into_iter().filter(|name| made.says.contains(name)).collect::<Vec<_>>();
    if !macros.is_empty() {
        made.notes.push(format!("programs that read cards replace {}", macros.join(" and ")));
    }
    if material.files.contains_key("examples/bad-outputs.md") {
        made.drop("examples/bad-outputs.md", "a card has no place for bad examples");
    }
    let reason = "it is about people and memories, not about who the agent is";
    material.personal().for_each(|path| made.drop(path, reason));
    made
}
