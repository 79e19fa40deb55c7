use serde_json::{Value, json};

use super::{charx, png};
use crate::exchange::compose::Composer;
use crate::exchange::import::{Imported, Refusal, bytes};
use crate::runtimes::Files;

/// Keys of a card that are read, or that have nothing to do with who the agent is.
const KNOWN: [&str; 14] = [
    "name",
    "nickname",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "alternate_greetings",
    "mes_example",
    "system_prompt",
    "post_history_instructions",
    "tags",
    "character_version",
    "character_book",
    "spec",
];

pub(crate) fn is_card(files: &dyn Files, path: &str) -> bool {
    let Ok(bytes) = bytes(files, path) else { return false };
    let json = json_in(bytes).ok();
    let value: Option<Value> =
        json.and_then(|json| serde_json::from_str(json.trim_start_matches(crate::text::BOM)).ok());
    value.is_some_and(|card| {
        let spec = card["spec"].as_str().is_some_and(|spec| spec.starts_with("chara_card_"));
        spec || (card.get("name").is_some() && card.get("first_mes").is_some())
    })
}

pub(crate) fn import(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let json = json_in(bytes(files, path)?)?;
    let card: Value = serde_json::from_str(json.trim_start_matches(crate::text::BOM))
        .map_err(|error| Refusal::new(format!("the card is not JSON: {error}")))?;
    // V1 has its fields at the top, V2 and V3 have them in `data`.
    let data = card.get("data").filter(|data| data.is_object()).unwrap_or(&card);
    let Some(name) = data["name"].as_str().map(str::trim).filter(|name| !name.is_empty()) else {
        return Err(Refusal::new("the card has no name"));
    };
    if let Some(spec) =
        card.get("spec").filter(|spec| !matches!(spec.as_str(), Some("chara_card_v2" | "chara_card_v3")))
    {
        return Err(Refusal::new(format!("{spec} is not a known version of character cards")));
    }
    Ok(compose(name, data, &card["spec"]))
}

/// The text of a card, whatever it is wrapped in.
fn json_in(bytes: Vec<u8>) -> Result<String, Refusal> {
    if png::is_png(&bytes) {
        png::card_in(&bytes).ok_or_else(|| Refusal::new("the picture has no card in its text chunks"))
    } else if charx::is_archive(&bytes) {
        charx::card_in(&bytes).ok_or_else(|| Refusal::new("the archive has no readable `card.json`"))
    } else {
        String::from_utf8(bytes)
            .map_err(|_| Refusal::new("a card must be UTF-8 text, a PNG picture or a `.charx` archive"))
    }
}

fn compose(name: &str, data: &Value, spec: &Value) -> Imported {
    let mut replaced = false;
    let mut text = |key: &str| {
        let text = data[key].as_str().unwrap_or_default();
        let plain = without_macros(text, data["nickname"].as_str().unwrap_or(name));
        replaced |= plain != text;
        plain
    };
    let system = text("system_prompt");
    // `{{original}}` stands for the prompt of the program that reads the card.
    let system = system.replace("{{original}}", "");
    let mut soul = Composer::new(name, Some(&system));
    soul.passage("", &text("description"));
    let personality = text("personality");
    // Our own cards list words here, each of which the text has.
    if !personality.split(", ").all(|word| crate::exchange::is_said(word, &system)) {
        soul.passage("Personality", &personality);
    }
    soul.passage("Scenario", &text("scenario"));
    let rules = text("post_history_instructions").replace("{{original}}", "");
    let (rules, rest): (Vec<&str>, Vec<&str>) = rules.lines().map(str::trim).partition(|line| line.starts_with("- "));
    soul.list("Boundaries", rules.iter().map(|rule| rule.trim_start_matches("- ")));
    soul.passage("Boundaries", &rest.join("\n"));
    soul.passage("First message", &text("first_mes"));
    let example = text("mes_example");
    let mut imported = Imported::text(soul.finish());
    if !example.trim().is_empty() {
        imported.file("examples/good-outputs.md", example);
    }
    if let Some(book) = book(&data["character_book"], name) {
        imported.file("MEMORY.md", book);
    }
    imported.card(Some(name), None);
    if replaced {
        imported.notes.push(format!("`{{{{char}}}}` and `{{{{user}}}}` are written as {name} and the user"));
    }
    for (key, value) in data.as_object().into_iter().flatten() {
        let empty = matches!(value, Value::Null) || *value == json!("") || *value == json!([]) || *value == json!({});
        if !empty && !KNOWN.contains(&key.as_str()) {
            imported.leave(format!("`{key}`"), "it is for the program that shows the card");
        }
    }
    if data["alternate_greetings"].as_array().is_some_and(|greetings| !greetings.is_empty()) {
        imported.leave("`alternate_greetings`", "a soul has one way to begin");
    }
    imported.reading = json!({ "spec": spec, "data": data });
    imported
}

fn without_macros(text: &str, name: &str) -> String {
    let mut out = text.to_owned();
    for (from, to) in [
        ("{{char}}", name),
        ("{{Char}}", name),
        ("<BOT>", name),
        ("{{user}}", "the user"),
        ("{{User}}", "The user"),
        ("<USER>", "the user"),
    ] {
        out = out.replace(from, to);
    }
    out
}

/// What the card knows about its world, a section for each entry that is switched on.
fn book(book: &Value, name: &str) -> Option<String> {
    let mut out = String::new();
    for entry in book["entries"].as_array()?.iter().filter(|entry| entry["enabled"] != false) {
        let Some(content) = entry["content"].as_str().filter(|content| !content.trim().is_empty()) else { continue };
        let keys = entry["keys"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let keys: Vec<&str> = entry["name"].as_str().into_iter().chain(keys).filter(|key| !key.is_empty()).collect();
        let title = if keys.is_empty() { "Note".to_owned() } else { keys.join(", ").replace('\n', " ") };
        out.push_str(&format!("## {title}\n\n{}\n\n", without_macros(content.trim(), name)));
    }
    out.truncate(out.trim_end().len());
    (!out.is_empty()).then(|| out + "\n")
}
