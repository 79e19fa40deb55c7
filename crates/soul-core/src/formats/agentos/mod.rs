//! `agentos`: a workspace of six files around a SOUL.md whose frontmatter defines a persona.
//!
//! The frontmatter is YAML, or JSON behind `---json`, and never code. A persona may also come as
//! JSON of its own; both give the same persona. Recorded in `conformance/agentos-load.json`.

mod companions;
mod emit;
mod flattened;
mod frontmatter;
mod keywords;
mod lints;
mod parse;
mod persona;
mod persona_rules;
mod project;
mod reader;
mod stale;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub use companions::{COMPANIONS, USER_FILE};
pub(crate) use emit::emit;
pub(crate) use frontmatter::split;
pub use keywords::keyword_conflicts;
pub use parse::looks_like_json;
pub(crate) use parse::{KEYS, parse};

use super::fields::Named;
use crate::text::{Source, Span, Spanned};
use companions::Companions;

/// What the plain keys of a SOUL.md can say about a persona.
#[derive(Debug, Clone, PartialEq, Default)]
struct Plain {
    name: Option<Spanned>,
    id: Option<Spanned>,
    role: Option<Spanned>,
    /// As written, known traits and others.
    traits: Option<Group<Named>>,
    voice: Option<Group<Named>>,
    avatar: Option<Group<Named>>,
    default_mood: Option<Spanned>,
    moods: Option<Group<Spanned>>,
    limits: Option<Limits>,
    metadata: Option<Named>,
    /// What the other keys cannot hold.
    persona: Option<Group<Named>>,
    /// Keys that are not read.
    extras: Vec<Named>,
    body: String,
    body_span: Span,
}

/// Hard limits: a list, or one text.
#[derive(Debug, Clone, PartialEq)]
enum Limits {
    One(Spanned),
    Many(Group<Spanned>),
}

/// What a key holds when it holds several, and where the key stands.
#[derive(Debug, Clone, PartialEq)]
struct Group<T> {
    key_span: Span,
    items: Vec<T>,
}

/// A parsed agentos soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    plain: Plain,
    /// Persona fields that the plain keys cannot hold.
    beyond: Map<String, Value>,
    /// What activates the persona.
    keywords: Vec<Spanned>,
    companions: Companions,
    /// The files beside it that are neither read nor part of the persona.
    pub(crate) others: BTreeMap<String, Source>,
}

impl Document {
    /// A file beside SOUL.md, as it was read.
    pub(crate) fn source_of(&self, path: &str) -> Option<&Source> {
        self.companions.source_of(path).or_else(|| self.others.get(path))
    }
}

impl Plain {
    fn text(value: Option<&Spanned>) -> Option<&str> {
        value.map(|value| value.text.as_str())
    }
}
