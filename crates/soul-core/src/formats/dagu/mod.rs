//! `dagu`: a library file, one soul each: name and description in the frontmatter, then content.
//!
//! The id is the file's name. Unknown keys are not read and never lost. Recorded in
//! `conformance/dagu-parse.json`.

mod edit;
mod emit;
mod parse;
mod project;

pub use edit::Changes;
pub(crate) use emit::emit;
pub use parse::is_id;
pub(crate) use parse::parse;

use super::fields::Named;
use crate::text::{Source, Span, Spanned};

/// A parsed dagu soul.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) source: Source,
    id: Option<String>,
    name: Option<Spanned>,
    description: Option<Spanned>,
    /// Fields that are not read.
    extras: Vec<Named>,
    content: String,
    content_span: Span,
}

impl Document {
    fn text(value: Option<&Spanned>) -> &str {
        value.map_or("", |value| &value.text)
    }
}
