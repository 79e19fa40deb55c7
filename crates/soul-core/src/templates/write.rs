//! A character in each dialect.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use super::characters::Character;
use crate::model::{Dialect, id_for};

pub(super) fn files(character: &Character, name: &str, dialect: Dialect) -> BTreeMap<&'static str, String> {
    let soul = match dialect {
        Dialect::Agh => agh(character, name),
        Dialect::Agentos => agentos(character, name),
        Dialect::Soulspec | Dialect::Plain => plain(character, name),
        Dialect::Cantus => cantus(character, name),
        Dialect::Dagu => dagu(character, name),
    };
    let mut files = BTreeMap::from([("SOUL.md", soul)]);
    if dialect == Dialect::Soulspec {
        files.insert("soul.json", manifest(name, character.description, &json!({})));
    }
    files
}

/// A manifest with what every package has, and more.
pub(super) fn manifest(name: &str, description: &str, more: &serde_json::Value) -> String {
    let mut manifest = json!({
        "specVersion": "0.6",
        "name": id_for(name, None).unwrap_or_else(|| "agent".to_owned()),
        "displayName": name,
        "version": "0.1.0",
        "description": description,
        "files": { "soul": "SOUL.md" },
    });
    if let (Some(manifest), Some(more)) = (manifest.as_object_mut(), more.as_object()) {
        manifest.extend(more.clone());
    }
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    text + "\n"
}

impl Character {
    fn introduction(&self, name: &str) -> String {
        self.introduction.replace("{name}", name)
    }

    /// A comment in Markdown, where the template explains itself.
    fn comment(&self, text: &str) -> String {
        if self.explained { format!("<!-- {text} -->\n") } else { String::new() }
    }

    /// A comment in YAML.
    fn note(&self, text: &str) -> String {
        if self.explained { format!("# {text}\n") } else { String::new() }
    }

    /// A section with a list.
    fn section(&self, title: &str, explanation: &str, items: &[&str]) -> String {
        format!("\n## {title}\n\n{}{}", self.comment(explanation), list(items))
    }
}

fn list(items: &[&str]) -> String {
    items.iter().fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "- {item}");
        out
    })
}

/// A list as a field of YAML.
fn field(name: &str, items: &[&str]) -> String {
    items.iter().fold(format!("{name}:\n"), |mut out, item| {
        let _ = writeln!(out, "  - {}", scalar(item));
        out
    })
}

/// A text as a YAML scalar. JSON strings are YAML, whatever is in them.
fn scalar(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " .,;'-".contains(c))
        && !["null", "true", "false", "yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if plain { text.to_owned() } else { json!(text).to_string() }
}

const TONE: &str = "How it sounds, in a few words.";
const PRINCIPLES: &str = "What it prefers unless told otherwise.";
const NEVER: &str = "Hard limits. Keep them few, short and testable.";
const ASK: &str = "When it asks instead of acting, and how it works with others.";
const OUTPUT: &str = "The form of its answers.";
const MEMORY: &str = "What is worth remembering.";
const COMMENTS: &str = "Comments like this one explain each part; delete them when you no longer need them.";

fn plain(character: &Character, name: &str) -> String {
    let Character { role, tone, principles, never, ask, output, memory, .. } = character;
    let mut text = format!("# {name}\n\n{}{}\n", character.comment(COMMENTS), character.introduction(name));
    let _ = write!(text, "\n## Role\n\n{role}\n");
    text.push_str(&character.section("Tone", TONE, tone));
    text.push_str(&character.section("Principles", PRINCIPLES, principles));
    text.push_str(&character.section("Limits", NEVER, never));
    text.push_str(&character.section("Collaboration", ASK, ask));
    text.push_str(&character.section("Output", OUTPUT, output));
    text.push_str(&character.section("Memory", MEMORY, memory));
    text
}

fn agh(character: &Character, name: &str) -> String {
    let mut text = "---\nversion: 1\n".to_owned();
    text.push_str(&character.note("What it is, in a line."));
    let _ = writeln!(text, "role: {}", scalar(character.role));
    for (key, explanation, items) in [
        ("tone", TONE, character.tone),
        ("principles", PRINCIPLES, character.principles),
        ("constraints", NEVER, character.never),
        ("collaboration", ASK, character.ask),
        ("memory_policy", MEMORY, character.memory),
    ] {
        text.push_str(&character.note(explanation));
        text.push_str(&field(key, items));
    }
    let _ = write!(text, "---\n{}\n", character.introduction(name));
    let _ = write!(text, "\n## Answers\n\n{}", list(character.output));
    text
}

fn agentos(character: &Character, name: &str) -> String {
    let keys = ["honestyHumility", "emotionality", "extraversion", "agreeableness", "conscientiousness", "openness"];
    let mut text = format!("---\nname: {}\nrole: {}\n", scalar(name), scalar(character.role));
    text.push_str(&character.note("Personality: six traits between 0 and 1."));
    text.push_str("hexaco:\n");
    for (key, score) in keys.iter().zip(character.traits) {
        let _ = writeln!(text, "  {key}: {score}");
    }
    text.push_str(&character.note(NEVER));
    text.push_str(&field("hardLimits", character.never));
    let _ = write!(text, "---\n{}\n", character.introduction(name));
    text.push_str(&character.section("Tone", TONE, character.tone));
    text.push_str(&character.section("Principles", PRINCIPLES, character.principles));
    text.push_str(&character.section("Collaboration", ASK, character.ask));
    text.push_str(&character.section("Output", OUTPUT, character.output));
    text.push_str(&character.section("Memory", MEMORY, character.memory));
    text
}

fn cantus(character: &Character, name: &str) -> String {
    let section = |title: &str, explanation: &str, text: String| {
        format!("\n## {title}\n{}{}", character.comment(explanation), text)
    };
    let Character { role, tone, principles, never, ask, output, memory, .. } = character;
    let role = format!("{name}, {}.\n\n{}\n", lowered(role), character.introduction(name));
    let personality = format!("{}.\n\n{}", capitalised(&tone.join(", ")), list(principles));
    let mut text = format!("# {name}\n");
    text.push_str(&section("Name & Role", COMMENTS, role));
    text.push_str(&section("Personality", PRINCIPLES, personality));
    text.push_str(&section("Rules", NEVER, list(never) + &list(memory)));
    text.push_str(&section("Tools", "The functions that it may call, one per line.", "- None yet.\n".to_owned()));
    text.push_str(&section("Output format", OUTPUT, list(output)));
    text.push_str(&section("Handoffs", ASK, list(ask)));
    text
}

fn dagu(character: &Character, name: &str) -> String {
    let Character { description, principles, never, ask, output, memory, tone, .. } = character;
    let mut text = format!("---\nname: {}\ndescription: {}\n---\n", scalar(name), scalar(description));
    let _ = write!(text, "\n# Identity\n\n{}{}\n", character.comment(COMMENTS), character.introduction(name));
    for (title, explanation, items) in
        [("Priorities", PRINCIPLES, *principles), ("Limits", NEVER, *never), ("Communication Style", TONE, *tone)]
    {
        let _ = write!(text, "\n# {title}\n\n{}{}", character.comment(explanation), list(items));
    }
    text.push_str(&list(output));
    text.push_str(&list(ask));
    text.push_str(&list(memory));
    text
}

fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
