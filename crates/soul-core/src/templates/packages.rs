//! Soul Spec packages to begin with.

use std::collections::BTreeMap;

use serde_json::json;

use super::characters::CHARACTERS;
use super::write::{files, manifest};
use crate::model::Dialect;

/// One soul, with its card and its style.
pub(super) fn persona(name: &str) -> BTreeMap<&'static str, String> {
    let more = json!({
        "license": "MIT",
        "tags": ["assistant"],
        "files": { "soul": "SOUL.md", "identity": "IDENTITY.md", "style": "STYLE.md" },
    });
    package(
        name,
        &more,
        &[
            ("IDENTITY.md", "# {name}\n\n- **Name:** {name}\n- **Role:** Assistant for everyday work\n"),
            (
                "STYLE.md",
                "# Style\n\n- Short paragraphs; lists only for things that are lists.\n- Plain words before technical \
             ones.\n- No filler, no flattery.\n",
            ),
        ],
    )
}

/// A soul with all that a pack can bring along.
pub(super) fn pack(name: &str) -> BTreeMap<&'static str, String> {
    let more = json!({
        "type": "pack",
        "license": "MIT",
        "tags": ["assistant"],
        "includes": {
            "skills": ["summarise"],
            "tools": ["word-count"],
            "memory": true,
            "rules": true,
            "hooks": ["bootstrap"],
        },
        "files": { "soul": "SOUL.md" },
    });
    package(
        name,
        &more,
        &[
            (
                "RULES.md",
                "# Rules\n\n## Must Always\n- Quote numbers as they are written\n\n## Must Never\n- Add a claim that the \
                 text does not make\n\n## Escalation\n- Ask when two passages contradict each other\n",
            ),
            ("memory/MEMORY.md", "# Memory\n\nWhat {name} has learned goes here.\n"),
            ("hooks/bootstrap.md", "Read the last entries of the memory before the first answer.\n"),
            (
                "skills/summarise/SKILL.md",
                "---\nname: summarise\ndescription: Turns a long text into a short one that keeps its claims\n---\n\n\
             1. Read the whole text.\n2. Write down its claims, one sentence each.\n3. Order them by weight and \
             drop what repeats.\n",
            ),
            (
                "tools/word-count.yaml",
                "name: word_count\ndescription: Counts the words of a text\ninputSchema:\n  type: object\n  properties:\n    \
             text:\n      type: string\n      description: The text to count\n  required: [text]\n",
            ),
        ],
    )
}

fn package(name: &str, more: &serde_json::Value, texts: &[(&'static str, &str)]) -> BTreeMap<&'static str, String> {
    let starter = &CHARACTERS[0];
    let mut package = files(starter, name, Dialect::Soulspec);
    package.insert("soul.json", manifest(name, starter.description, more));
    package.extend(texts.iter().map(|(path, text)| (*path, text.replace("{name}", name))));
    package
}
