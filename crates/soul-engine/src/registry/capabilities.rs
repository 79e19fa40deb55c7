//! What a package asks for beyond words: tools, skills, hooks, memory, and the network.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Package;

/// What a package asks for. It can be read from the package alone; nothing grants it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Capabilities {
    /// Tools: those that it brings in `tools/`, and those that `allowedTools` names.
    pub tools: BTreeSet<String>,
    /// Skills: those that it brings in `skills/`, and those that it recommends.
    pub skills: BTreeSet<String>,
    /// Instructions that an agent follows at its start and its end, in `hooks/`.
    pub hooks: BTreeSet<String>,
    /// Files that could be run as programs. They are installed without the permission to be.
    pub scripts: BTreeSet<String>,
    /// Words that reach for the network: hosts of URLs, and commands that fetch.
    pub network: BTreeSet<String>,
    /// Whether it brings a memory to begin with.
    pub memory: bool,
}

/// Commands that reach for the network.
const COMMANDS: [&str; 11] =
    ["curl", "wget", "fetch", "ssh", "scp", "rsync", "netcat", "ftp", "webhook", "websocket", "telnet"];

/// The endings of files that could be run.
const SCRIPTS: [&str; 10] = [".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".ps1"];

/// The most network words that are listed.
const MAX_WORDS: usize = 100;

impl Capabilities {
    /// What a package asks for.
    #[must_use]
    pub fn of(package: &Package) -> Self {
        let manifest = package.manifest();
        let texts = |key: &str| manifest.texts(key).map(str::to_owned).collect::<BTreeSet<String>>();
        let mut asked = Self { tools: texts("allowedTools"), skills: texts("skills"), ..Self::default() };
        let recommended = manifest.value("recommendedSkills").and_then(Value::as_array).into_iter().flatten();
        asked.skills.extend(recommended.filter_map(|skill| skill["name"].as_str()).map(str::to_owned));
        for (path, bytes) in package.contents.files() {
            let path = path.as_str();
            let stem = |rest: &str| rest.rsplit_once('.').map_or(rest, |(stem, _)| stem).to_owned();
            match path.split_once('/') {
                Some(("tools", rest)) => drop(asked.tools.insert(stem(rest))),
                Some(("hooks", rest)) => drop(asked.hooks.insert(stem(rest))),
                Some(("skills", rest)) => drop(asked.skills.insert(rest.split('/').next().unwrap_or(rest).to_owned())),
                Some(("memory", _)) => asked.memory = true,
                _ => {}
            }
            if SCRIPTS.iter().any(|end| path.ends_with(end)) || bytes.starts_with(b"#!") {
                asked.scripts.insert(path.to_owned());
            }
            if let Ok(text) = std::str::from_utf8(bytes) {
                network(text, &mut asked.network);
            }
        }
        asked
    }

    /// What it asks for that another one does not.
    #[must_use]
    pub fn beyond(&self, other: &Self) -> Self {
        let more = |own: &BTreeSet<String>, other: &BTreeSet<String>| own.difference(other).cloned().collect();
        Self {
            tools: more(&self.tools, &other.tools),
            skills: more(&self.skills, &other.skills),
            hooks: more(&self.hooks, &other.hooks),
            scripts: more(&self.scripts, &other.scripts),
            network: more(&self.network, &other.network),
            memory: self.memory && !other.memory,
        }
    }

    /// Whether it asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The words of a text that reach for the network.
fn network(text: &str, found: &mut BTreeSet<String>) {
    for scheme in ["https://", "http://", "wss://", "ws://", "ftp://"] {
        for (at, _) in text.match_indices(scheme) {
            let rest = &text[at + scheme.len()..];
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '@'))).unwrap_or(rest.len());
            let host = rest[..end].trim_end_matches(['.', ':', '-']).to_lowercase();
            if !host.is_empty() && found.len() < MAX_WORDS {
                found.insert(host);
            }
        }
    }
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let commands = words.filter(|word| COMMANDS.contains(&word.as_str()));
    commands.for_each(|word| {
        if found.len() < MAX_WORDS {
            found.insert(word);
        }
    });
}
