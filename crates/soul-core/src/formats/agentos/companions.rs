//! The files beside SOUL.md, and what is made of them.

use serde_json::{Map, Value, json};

use super::frontmatter::js_trim;
use crate::calibration::examples;
use crate::formats::Context;
use crate::model::{Field, Item};
use crate::text::{Source, Span};

/// The user's own file, which is read and never written.
pub const USER_FILE: &str = "USER.md";

/// The companion files of a workspace: name, key in JSON and field.
pub const COMPANIONS: [(&str, &str, Field); 7] = [
    ("STYLE.md", "style", Field::Style),
    ("IDENTITY.md", "identity", Field::Card),
    ("AGENTS.md", "agents", Field::Procedure),
    ("MEMORY.md", "memory", Field::Memory),
    ("examples/good-outputs.md", "good", Field::GoodExample),
    ("examples/bad-outputs.md", "bad", Field::BadExample),
    (USER_FILE, "user", Field::User),
];

/// Each companion that is there, in the order of [`COMPANIONS`].
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Companions([Option<Source>; 7]);

impl Companions {
    /// Takes the companions from what was read beside the soul.
    pub(super) fn from_context(context: &Context) -> Self {
        Self(COMPANIONS.map(|(name, ..)| context.files.get(name).cloned()))
    }

    /// A companion as it was read.
    pub(super) fn source_of(&self, path: &str) -> Option<&Source> {
        COMPANIONS.iter().zip(&self.0).find(|((name, ..), _)| *name == path)?.1.as_ref()
    }

    pub(super) fn get(&self, field: Field) -> Option<&str> {
        self.all().find(|(_, _, of, _)| *of == field).map(|(.., text)| text)
    }

    /// What is there: the file, its key, its field, its text. Bytes that are not text say nothing.
    fn all(&self) -> impl Iterator<Item = (&'static str, &'static str, Field, &str)> {
        COMPANIONS.iter().zip(&self.0).filter_map(|((name, key, field), source)| {
            Some((*name, *key, *field, js_trim(source.as_ref()?.text().unwrap_or_default())))
        })
    }

    /// One item a file. Its span is the whole text, in a file of its own.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> {
        self.all().filter(|(.., text)| !text.is_empty()).map(|(name, _, field, text)| {
            let mut item = Item::passage(field, text, Span::new(0, text.len()));
            item.file = Some(name.into());
            item
        })
    }

    /// The companions under their keys; good and bad examples are listed separately.
    pub(super) fn add_to(&self, document: &mut Map<String, Value>) {
        let mut examples = Map::new();
        for (_, key, field, text) in self.all() {
            match field {
                Field::GoodExample | Field::BadExample => {
                    examples.insert(key.into(), single_outputs(text).into());
                }
                _ => {
                    document.insert(key.into(), text.into());
                }
            }
        }
        if !examples.is_empty() {
            document.insert("examples".into(), examples.into());
        }
    }
}

/// The single outputs of an examples file, with what stands around them.
fn single_outputs(text: &str) -> Vec<Value> {
    let outputs = examples(text).into_iter().map(|example| match example.title {
        Some(title) => json!({ "title": title, "text": &text[example.range] }),
        None => json!({ "text": &text[example.range] }),
    });
    outputs.collect()
}
