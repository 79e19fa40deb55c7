//! `soulspec`: a package with a manifest and the files that it names.
//!
//! Seven versions of the specification are parsed with one table of fields. Two profiles: `lenient` accepts what can be
//! read, `publish` requires everything that a registry requires. A package is data: nothing in it is executed, and no
//! link is followed.

mod counterpart;
mod disclosure;
mod emit;
mod manifest;
mod migrate;
pub(crate) mod names;
mod parse;
mod project;
mod rules;
mod schema;
mod tools;
mod version;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use disclosure::{Disclosed, LEVELS};
pub(crate) use emit::emit;
pub use manifest::{FIELDS, FieldSpec, Shape};
pub use migrate::{Migration, migrate};
pub(crate) use parse::parse;
pub(crate) use rules::{SECTIONS as RULE_SECTIONS, entries as rules_of, rule_of};
pub use schema::schema;
pub use version::SpecVersion;

use crate::text::{Source, Span};

/// The file names of a manifest, the preferred one first.
pub const MANIFESTS: [&str; 2] = ["soul.json", "clawsoul.json"];

/// How strictly a Soul Spec package is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulspecProfile", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Read what can be read; what a registry would ask for is only mentioned.
    #[default]
    Lenient,
    /// Check everything that a registry requires.
    Publish,
}

/// Where a manifest's key and value stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeySpans {
    key: Span,
    value: Span,
}

/// A parsed package.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    /// The manifest's own name, if it is known.
    name: Option<String>,
    manifest: Map<String, Value>,
    /// Places by path, such as `author.name` or `tags[2]`.
    key_spans: BTreeMap<String, KeySpans>,
    version: SpecVersion,
    /// Every other file of the package, by its path.
    files: BTreeMap<String, Source>,
    /// Whether the files are known, so that one which is not among them is missing.
    complete: bool,
}

impl Document {
    /// The value at a path of keys, such as `compatibility.models`.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.');
        let first = self.manifest.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key)).filter(|value| !value.is_null())
    }

    /// The text at a path of keys.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.value(path).and_then(Value::as_str)
    }

    /// The list of texts at a path; what is no text is left out.
    pub fn texts(&self, path: &str) -> impl Iterator<Item = &str> {
        self.value(path).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Where the value at a path stands; the manifest's first line if it is not there.
    fn at(&self, path: &str) -> Span {
        self.key_spans.get(path).map_or(self.first_line(), |spans| spans.value)
    }

    fn key_at(&self, path: &str) -> Span {
        self.key_spans.get(path).map_or(self.first_line(), |spans| spans.key)
    }

    /// Where the manifest begins: the place of what it lacks.
    const fn first_line(&self) -> Span {
        Span::new(0, 0)
    }

    /// The manifest, as it was written.
    #[must_use]
    pub const fn manifest(&self) -> &Map<String, Value> {
        &self.manifest
    }

    /// Whether the package bundles more than a persona.
    #[must_use]
    pub fn is_pack(&self) -> bool {
        self.text("type") == Some("pack")
    }

    /// Whether the agent has a body that moves among people.
    fn is_embodied(&self) -> bool {
        matches!(self.text("environment"), Some("embodied" | "physical" | "hybrid"))
    }

    /// The path of a file that the manifest names, from the package's folder.
    #[must_use]
    pub fn path(&self, key: &str) -> Option<&str> {
        self.text(key).map(|path| path.trim_start_matches("./"))
    }

    /// The path of the soul's own text.
    fn soul_file(&self) -> &str {
        self.path_of("SOUL.md")
    }

    /// The path of a file that usually has this name.
    pub(crate) fn path_of<'a>(&'a self, usual: &'a str) -> &'a str {
        let key = match usual {
            "SOUL.md" => "files.soul",
            "STYLE.md" => "files.style",
            "AGENTS.md" => "files.agents",
            _ => return usual,
        };
        self.path(key).unwrap_or(usual)
    }

    /// Whether the package is known not to have a file.
    fn lacks(&self, path: &str) -> bool {
        self.complete && !self.files.contains_key(path)
    }

    /// The text of a file of the package.
    fn file(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.text()
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn source_of(&self, path: &str) -> Option<&Source> {
        self.files.get(path)
    }
}
