//! Source text: the original bytes, byte spans, line and column, edits.
//!
//! Spans always refer to the source on disk, whatever a dialect folds away while it parses. Nothing here knows a
//! dialect.

pub(crate) mod characters;
mod diff;
mod lines;
mod newlines;
mod quote;
mod slug;
mod suggest;
mod trim;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use characters::with_hidden;
pub use diff::{DiffBudget, unified_diff};
pub use lines::{LineIndex, Position};
pub(crate) use newlines::{LineEnds, Unified};
pub(crate) use quote::go_float;
pub use quote::{shown, visible};
pub use slug::slug;
pub use suggest::closest;
pub(crate) use trim::python_strip;

/// The UTF-8 byte order mark, which some editors write before the first character.
pub(crate) const BOM: char = '\u{feff}';

/// A half-open range of bytes in a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The half-open span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// A text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spanned {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A replacement of one span of a source text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextEdit"))]
pub struct Edit {
    /// The bytes to replace; an empty span inserts.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// The bytes of a file, unchanged. Cheap to clone.
///
/// ```
/// use soul_core::text::{Edit, Source, Span};
///
/// let source = Source::new(b"role: Guide\n".to_vec());
/// assert_eq!(source.text(), Some("role: Guide\n"));
/// let edit = Edit { span: Span::new(6, 11), text: "Mentor".into() };
/// assert_eq!(source.with_edits(&[edit]), b"role: Mentor\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(Content);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Text(Arc<str>),
    Binary(Arc<[u8]>),
}

impl Default for Source {
    fn default() -> Self {
        Self(Content::Text("".into()))
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Self(Content::Text(text.into()))
    }
}

impl Source {
    /// A source from bytes, which need not be UTF-8.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        match String::from_utf8(bytes.into()) {
            Ok(text) => Self(Content::Text(text.into())),
            Err(error) => Self(Content::Binary(error.into_bytes().into())),
        }
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Content::Text(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        }
    }

    /// The text; `None` if the bytes are not UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.0 {
            Content::Text(text) => Some(text),
            Content::Binary(_) => None,
        }
    }

    /// The offset of the first byte that is not UTF-8.
    #[must_use]
    pub fn first_invalid_byte(&self) -> Option<usize> {
        std::str::from_utf8(self.bytes()).err().map(|error| error.valid_up_to())
    }

    /// The bytes with the edits applied. Edits that overlap an earlier one are ignored.
    #[must_use]
    pub fn with_edits(&self, edits: &[Edit]) -> Vec<u8> {
        let bytes = self.bytes();
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by_key(|edit| edit.span);
        let mut out = Vec::with_capacity(bytes.len());
        let mut done = 0;
        for edit in edits {
            if edit.span.start < done || edit.span.end > bytes.len() {
                continue;
            }
            out.extend_from_slice(&bytes[done..edit.span.start]);
            out.extend_from_slice(edit.text.as_bytes());
            done = edit.span.end;
        }
        out.extend_from_slice(&bytes[done..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_edits_never_tear_the_text() {
        let source = Source::from("abcdef");
        let edit = |start, end, text: &str| Edit { span: Span::new(start, end), text: text.into() };
        let edited = source.with_edits(&[edit(2, 4, "X"), edit(3, 5, "Y"), edit(6, 6, "!"), edit(0, 99, "Z")]);
        assert_eq!(edited, b"abXef!");
    }

    #[test]
    fn bytes_that_are_not_text_are_kept() {
        let source = Source::new(vec![b'a', 0xff, b'b']);
        assert_eq!(source.text(), None);
        assert_eq!(source.first_invalid_byte(), Some(1));
        assert_eq!(source.with_edits(&[]), [b'a', 0xff, b'b']);
    }
}
