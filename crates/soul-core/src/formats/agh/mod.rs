//! `agh`: strict YAML frontmatter and a free Markdown body.
//!
//! Fails closed: what another file or the runtime owns can be neither a key nor a heading here.
//! Recorded in `conformance/agh-parse.json`.

mod emit;
mod headings;
mod owners;
mod parse;
mod project;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub(crate) use emit::emit;
pub use owners::owner;
pub(crate) use parse::parse;

use super::fields::Named;
use crate::text::{Source, Span, Spanned};

/// Size limits for souls of the `agh` dialect, from `[agents.soul]` in `config.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AghLimits"))]
pub struct Limits {
    /// The largest allowed body, and the largest allowed frontmatter, in bytes.
    pub max_body_bytes: usize,
    /// The largest compact context, in bytes.
    pub context_projection_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_body_bytes: 32_768, context_projection_bytes: 2_048 }
    }
}

/// A list as it was written: absent (or null), or present with what is left of it.
type List = Option<Vec<Spanned>>;

/// A parsed agh soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    version: Option<Spanned>,
    role: Option<Spanned>,
    /// In the order of [`LISTS`].
    lists: [List; 6],
    /// Where each list's key stands.
    list_spans: [Span; 6],
    /// Fields that are refused.
    extras: Vec<Named>,
    body: String,
    body_span: Span,
}

/// The six list fields, in canonical order: the key, the name in the digest, the title in the
/// prompt block.
const LISTS: [(&str, &str, &str); 6] = [
    ("tone", "Tone", "Tone"),
    ("principles", "Principles", "Principles"),
    ("constraints", "Constraints", "Constraints"),
    ("collaboration", "Collaboration", "Collaboration"),
    ("memory_policy", "MemoryPolicy", "Memory policy"),
    ("tags", "Tags", "Tags"),
];

impl Document {
    fn version(&self) -> &str {
        self.version.as_ref().map_or("", |value| &value.text)
    }

    fn role(&self) -> &str {
        self.role.as_ref().map_or("", |value| &value.text)
    }

    fn list(&self, index: usize) -> Option<impl Iterator<Item = &str>> {
        self.lists[index].as_ref().map(|items| items.iter().map(|item| item.text.as_str()))
    }

    fn body_range(&self) -> Range<usize> {
        self.body_span.start..self.body_span.end
    }
}
