//! `plain`: free Markdown, as most people write a soul, with the files of an OpenClaw workspace beside it.
//!
//! Every text is valid that is UTF-8 and not too large. Frontmatter is optional and is a card. What the text means is
//! read from its headings; what they do not say stays a section.

mod card;
mod companions;
mod emit;
mod name;
mod parse;
mod project;

use std::collections::BTreeMap;

pub use card::name as card_name;
pub use companions::COMPANIONS;
pub(crate) use emit::emit;
pub(crate) use parse::parse;

use super::fields::Named;
use crate::text::{Source, Span};

/// A parsed plain soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    /// The fields of the frontmatter.
    card: Vec<Named>,
    /// A name from the file or its folder, for a soul that gives itself none.
    fallback_name: Option<String>,
    body: String,
    body_span: Span,
    /// The length of frontmatter at the start of the body that could not be read.
    unread: usize,
    /// The files beside it, by path.
    pub(crate) files: BTreeMap<String, Source>,
}

impl Document {
    /// A file beside the soul, as it was read.
    pub(crate) fn source_of(&self, path: &str) -> Option<&Source> {
        self.files.get(path)
    }

    /// The text of a file beside the soul, without a byte order mark.
    fn file_text(&self, path: &str) -> Option<&str> {
        let text = self.files.get(path)?.text()?;
        Some(text.strip_prefix(crate::text::BOM).unwrap_or(text))
    }
}

#[cfg(test)]
mod tests;
