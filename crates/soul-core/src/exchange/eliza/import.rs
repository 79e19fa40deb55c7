use serde_json::{Value, json};

use super::schema::read;
use crate::exchange::compose::Composer;
use crate::exchange::import::{Imported, Refusal, text};
use crate::runtimes::Files;

/// Keys of v1 that say who the agent is, in other words than v2 has.
const TRANSLATED: [&str; 1] = ["lore"];

/// Keys of v1 that v2 has no place for.
const V1: [&str; 11] = [
    "clients",
    "modelProvider",
    "imageModelProvider",
    "imageVisionModelProvider",
    "modelEndpointOverride",
    "clientConfig",
    "people",
    "extends",
    "twitterProfile",
    "instagramProfile",
    "nft",
];

pub(crate) fn is_character(files: &dyn Files, path: &str) -> bool {
    let read = path.ends_with(".json").then(|| text(files, path).ok()).flatten();
    let value: Option<Value> = read.and_then(|text| serde_json::from_str(&text).ok());
    value
        .is_some_and(|value| value.get("name").is_some() && (value.get("bio").is_some() || value.get("lore").is_some()))
}

pub(crate) fn import(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let bytes = crate::exchange::import::bytes(files, path)?;
    let text = String::from_utf8(bytes).map_err(|_| Refusal::new("a character must be UTF-8 text"))?;
    let reading = read(&text);
    let is_v2 = reading["valid"] == true;
    let refused = |reading: &Value| {
        let issues = reading["issues"].as_array().into_iter().flatten();
        let shown =
            issues.map(|issue| format!("{} at {}", issue["code"].as_str().unwrap_or_default(), shown(&issue["path"])));
        let shown: Vec<String> = shown.collect();
        let why = if shown.is_empty() { "it is not JSON".to_owned() } else { shown.join(", ") };
        Refusal { message: format!("ElizaOS does not accept this character: {why}"), reading: reading.clone() }
    };
    let mut character: Value = serde_json::from_str(&text).map_err(|_| refused(&reading))?;
    let mut imported = Imported::default();
    if !is_v2 {
        let found = upgrade(&mut character, &mut imported);
        let upgraded = read(&character.to_string());
        if !found || upgraded["valid"] != true {
            return Err(refused(&reading));
        }
    }
    let Some(data) = read(&character.to_string()).get("data").cloned() else { return Err(refused(&reading)) };
    compose(&data, &mut imported);
    imported.reading = reading;
    Ok(imported)
}

fn shown(path: &Value) -> String {
    let parts =
        path.as_array().into_iter().flatten().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
    let path = parts.collect::<Vec<_>>().join(".");
    if path.is_empty() { "the top".to_owned() } else { format!("`{path}`") }
}

/// Translates the keys of v1, and says whether there are any.
fn upgrade(character: &mut Value, imported: &mut Imported) -> bool {
    let Some(entries) = character.as_object_mut() else { return false };
    let mut found = false;
    for key in TRANSLATED {
        if let Some(lore) = entries.shift_remove(key) {
            found = true;
            let list = |value: Value| match value {
                Value::Array(items) => items,
                Value::Null => Vec::new(),
                one => vec![one],
            };
            let mut bio = list(entries.get("bio").cloned().unwrap_or_default());
            bio.extend(list(lore));
            entries.insert("bio".to_owned(), bio.into());
            imported.notes.push("`lore` of v1 is part of `bio`".to_owned());
        }
    }
    for key in V1 {
        if entries.shift_remove(key).is_some() {
            found = true;
            imported.leave(format!("`{key}`"), "it configures ElizaOS v1, not who the agent is");
        }
    }
    for message in entries.get_mut("messageExamples").and_then(Value::as_array_mut).into_iter().flatten() {
        for message in message.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(user) = message.shift_remove("user").filter(|_| !message.contains_key("name")) {
                found = true;
                message.insert("name".to_owned(), user);
            }
        }
    }
    found
}

fn compose(data: &Value, imported: &mut Imported) {
    let name = data["name"].as_str().unwrap_or_default();
    let list = |value: &Value| -> Vec<String> {
        match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(items) => items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        }
    };
    let mut soul = Composer::new(name, data["system"].as_str());
    match &data["bio"] {
        Value::String(bio) => soul.passage("Background", bio),
        bio => soul.list("Background", list(bio).iter().map(String::as_str)),
    }
    soul.list("Tone", list(&data["adjectives"]).iter().map(String::as_str));
    soul.list("Interests", list(&data["topics"]).iter().map(String::as_str));
    for (key, heading) in [("all", "Style"), ("chat", "Style in chats"), ("post", "Style of posts")] {
        soul.list(heading, list(&data["style"][key]).iter().map(String::as_str));
    }
    imported.files.push(("SOUL.md".to_owned(), soul.finish()));
    let examples = examples(data, name);
    if !examples.is_empty() {
        imported.file("examples/good-outputs.md", examples);
    }
    imported.card(Some(name), None);
    for (key, reason) in [
        ("secrets", "secrets are never imported"),
        ("settings", "settings and secrets are never imported"),
        ("plugins", "what a program installs is not part of a soul"),
        ("knowledge", "the files that it names are not part of a soul"),
        ("templates", "templates of prompts are not part of a soul"),
    ] {
        if data.get(key).is_some_and(|value| *value != json!({}) && *value != json!([])) {
            imported.leave(format!("`{key}`"), reason);
        }
    }
}

/// Conversations and posts, as examples of good answers.
fn examples(data: &Value, name: &str) -> String {
    let mut out = String::new();
    for (index, talk) in data["messageExamples"].as_array().into_iter().flatten().enumerate() {
        let lines = talk.as_array().into_iter().flatten().filter_map(|message| {
            let text = message["content"]["text"].as_str().filter(|text| !text.trim().is_empty())?;
            Some(format!("**{}**: {}\n\n", message["name"].as_str().unwrap_or(name), text.trim()))
        });
        let lines: String = lines.collect();
        if !lines.is_empty() {
            out.push_str(&format!("## Conversation {}\n\n{lines}", index + 1));
        }
    }
    for (index, post) in data["postExamples"].as_array().into_iter().flatten().filter_map(Value::as_str).enumerate() {
        out.push_str(&format!("## Post {}\n\n{}\n\n", index + 1, post.trim()));
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
