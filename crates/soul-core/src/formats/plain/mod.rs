//! `plain`: free Markdown, as most people write a soul, with the files of an OpenClaw workspace beside it.
//!
//! Every text is valid that is UTF-8 and not too large. Frontmatter is optional and is a card. What the text means is
//! read from its headings; what they do not say stays a section.

mod companions;
mod emit;
mod parse;
mod project;

use std::collections::BTreeMap;

pub use companions::COMPANIONS;
pub(crate) use emit::emit;
pub(crate) use parse::parse;

use super::fields::Named;
use crate::text::{Source, Span};

/// A parsed plain soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    /// What the frontmatter says.
    card: Vec<Named>,
    /// What the file or its folder is called, if the text gives no name.
    fallback_name: Option<String>,
    body: String,
    body_span: Span,
    /// The files beside it, by their paths.
    pub(crate) files: BTreeMap<String, Source>,
}

impl Document {
    /// A file beside the soul, as it was read.
    pub(crate) fn source_of(&self, path: &str) -> Option<&Source> {
        self.files.get(path)
    }
}
