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
        Dialect::Soulspec | Dialect::Plain => plain(character, name, dialect == Dialect::Soulspec),
        Dialect::Cantus => cantus(character, name),
        Dialect::Dagu => dagu(character, name),
    };
    let mut files = BTreeMap::from([("SOUL.md", soul)]);
    if dialect == Dialect::Soulspec {
        files.insert("soul.json", manifest(name, character.about(), &json!({})));
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
    /// What it is for. The starter's description speaks of the template.
    pub(super) const fn about(&self) -> &'static str {
        if self.explained { self.role } else { self.description }
    }

    fn introduction(&self, name: &str) -> String {
        self.introduction.replace("{name}", name)
    }

    /// A comment in YAML.
    fn note(&self, text: &str) -> String {
        if self.explained { format!("# {text}\n") } else { String::new() }
    }

    /// What the sections are for, as comments in YAML. A comment in the body would reach the model.
    fn notes(&self, sections: &[(&str, &str)]) -> String {
        if !self.explained {
            return String::new();
        }
        let width = sections.iter().map(|(title, _)| title.len()).max().unwrap_or_default();
        let lines = sections.iter().map(|(title, what)| format!("#   {title:<width$}  {what}\n"));
        format!("# {COMMENTS}\n{}", lines.collect::<String>())
    }
}

/// A section with a list.
fn section(title: &str, items: &[&str]) -> String {
    format!("\n## {title}\n\n{}", list(items))
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
const ROLE: &str = "What it is, in a line.";
const COMMENTS: &str = "These notes are for you; the model never sees them. Delete them when you like.";

/// Frontmatter of a soul in a package is part of its text.
fn plain(character: &Character, name: &str, is_packaged: bool) -> String {
    let Character { role, tone, principles, never, ask, output, memory, .. } = character;
    let notes = character.notes(&[
        ("Role", ROLE),
        ("Tone", TONE),
        ("Principles", PRINCIPLES),
        ("Limits", NEVER),
        ("Collaboration", ASK),
        ("Output", OUTPUT),
        ("Memory", MEMORY),
    ]);
    let mut text = if notes.is_empty() || is_packaged { String::new() } else { format!("---\n{notes}---\n") };
    let _ = write!(text, "# {name}\n\n{}\n\n## Role\n\n{role}\n", character.introduction(name));
    for (title, items) in [
        ("Tone", tone),
        ("Principles", principles),
        ("Limits", never),
        ("Collaboration", ask),
        ("Output", output),
        ("Memory", memory),
    ] {
        text.push_str(&section(title, items));
    }
    text
}

fn agh(character: &Character, name: &str) -> String {
    let mut text = "---\nversion: 1\n".to_owned();
    text.push_str(&character.note(ROLE));
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
    text.push_str(&character.notes(&[
        ("Tone", TONE),
        ("Principles", PRINCIPLES),
        ("Collaboration", ASK),
        ("Output", OUTPUT),
        ("Memory", MEMORY),
    ]));
    let _ = write!(text, "---\n{}\n", character.introduction(name));
    text.push_str(&section("Tone", character.tone));
    text.push_str(&section("Principles", character.principles));
    text.push_str(&section("Collaboration", character.ask));
    text.push_str(&section("Output", character.output));
    text.push_str(&section("Memory", character.memory));
    text
}

fn cantus(character: &Character, name: &str) -> String {
    let section = |title: &str, text: String| format!("\n## {title}\n{text}");
    let Character { role, tone, principles, never, ask, output, memory, .. } = character;
    let role = format!("{name}, {}.\n\n{}\n", lowered(role), character.introduction(name));
    let personality = format!("{}.\n\n{}", capitalised(&tone.join(", ")), list(principles));
    let mut text = format!("# {name}\n");
    // What stands before the first section is not read.
    let notes = character.notes(&[
        ("Personality", PRINCIPLES),
        ("Rules", NEVER),
        ("Tools", "The functions that it may call, one per line."),
        ("Output format", OUTPUT),
        ("Handoffs", ASK),
    ]);
    if !notes.is_empty() {
        let _ = write!(text, "\n<!--\n{}-->\n", notes.replace("# ", "").replace('#', ""));
    }
    text.push_str(&section("Name & Role", role));
    text.push_str(&section("Personality", personality));
    text.push_str(&section("Rules", list(never) + &list(memory)));
    text.push_str(&section("Tools", "- None yet.\n".to_owned()));
    text.push_str(&section("Output format", list(output)));
    text.push_str(&section("Handoffs", list(ask)));
    text
}

fn dagu(character: &Character, name: &str) -> String {
    let Character { principles, never, ask, output, memory, tone, .. } = character;
    let notes = character.notes(&[("Priorities", PRINCIPLES), ("Limits", NEVER), ("Communication Style", TONE)]);
    let mut text = format!("---\nname: {}\ndescription: {}\n{notes}---\n", scalar(name), scalar(character.about()));
    let _ = write!(text, "\n# Identity\n\n{}\n", character.introduction(name));
    for (title, items) in [("Priorities", *principles), ("Limits", *never), ("Communication Style", *tone)] {
        let _ = write!(text, "\n# {title}\n\n{}", list(items));
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
