use serde::{Deserialize, Serialize};

use super::Document;

/// The keys of the files that are loaded at each level; level 1 is the manifest alone.
pub const LEVELS: [&[&str]; 3] = [
    &["soul.json"],
    // What the agent must never do holds as soon as it is someone.
    &["files.soul", "files.identity", "files.rules"],
    &["files.agents", "files.style", "files.heartbeat", "examples.good", "examples.bad"],
];

/// The names of the files that those keys have when nobody says.
const DEFAULTS: [(&str, &str); 8] = [
    ("files.soul", "SOUL.md"),
    ("files.identity", "IDENTITY.md"),
    ("files.rules", "RULES.md"),
    ("files.agents", "AGENTS.md"),
    ("files.style", "STYLE.md"),
    ("files.heartbeat", "HEARTBEAT.md"),
    ("examples.good", "examples/good-outputs.md"),
    ("examples.bad", "examples/bad-outputs.md"),
];

/// A file of a Soul Spec package that a client loads at a disclosure level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DisclosedFile"))]
pub struct Disclosed {
    /// The first level at which it is loaded: 1, 2 or 3.
    pub level: usize,
    /// Path in the package.
    pub path: String,
    /// Size in bytes.
    pub bytes: usize,
    /// Estimated number of tokens, at four bytes each.
    pub est_tokens: usize,
}

impl Document {
    /// The files that a client has loaded at a disclosure level.
    #[must_use]
    pub fn disclosed(&self, level: usize) -> Vec<Disclosed> {
        let mut loaded = Vec::new();
        let mut add = |level: usize, path: &str, bytes: usize| {
            loaded.push(Disclosed { level, path: path.to_owned(), bytes, est_tokens: bytes.div_ceil(4) });
        };
        add(1, self.name.as_deref().unwrap_or("soul.json"), self.source.bytes().len());
        for (index, keys) in LEVELS.iter().enumerate().take(level).skip(1) {
            for key in *keys {
                let default = DEFAULTS.iter().find(|(of, _)| of == key).map_or("", |(_, name)| name);
                let path = self.path(key).unwrap_or(default);
                if let Some(source) = self.files.get(path) {
                    add(index + 1, path, source.bytes().len());
                }
            }
        }
        loaded
    }
}
