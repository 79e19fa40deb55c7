//! `cantus`: six H2 sections, found by bare lines.
//!
//! Code fences and comments are not honoured, white space is what Python strips, `\r\n` and `\r`
//! are line ends. Recorded in `conformance/cantus-parse.json`.

mod emit;
mod parse;
mod project;

pub(crate) use emit::emit;
pub(crate) use parse::{known_titles, parse};

use crate::text::{Source, Span};

/// The six titles in canonical order, each with its key in JSON.
pub(crate) const SECTIONS: [(&str, &str); 6] = [
    ("Name & Role", "name_and_role"),
    ("Personality", "personality"),
    ("Rules", "rules"),
    ("Tools", "tools"),
    ("Output format", "output_format"),
    ("Handoffs", "handoffs"),
];

/// The body of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) body: String,
    pub(crate) span: Span,
}

/// A parsed cantus soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    /// Text before the first header, which the prompt leaves out.
    preamble: Option<Section>,
    /// In canonical order; `None` where the section is missing.
    sections: [Option<Section>; 6],
    duplicates: Vec<String>,
    unexpected: Vec<String>,
    /// What stands in duplicate and unexpected sections, with their titles.
    others: Vec<(String, Section)>,
}

impl Document {
    fn body(&self, index: usize) -> &str {
        self.sections[index].as_ref().map_or("", |section| &section.body)
    }

    fn missing(&self) -> impl Iterator<Item = &'static str> {
        SECTIONS.iter().zip(&self.sections).filter(|(_, section)| section.is_none()).map(|((title, _), _)| *title)
    }
}
