//! The dialects, one folder each, with the same files: `parse`, `project` (a document as items, as JSON and as
//! the text that a model reads) and `emit` (fresh text for a soul). `render` gives back the source, with edits
//! done, and is the same for all: [`Document::render`].
//!
//! A format knows how one system writes a soul and nothing else: no rules, no files, no output.
//! What the system does was measured and recorded in `conformance/`.

pub mod agentos;
pub mod agh;
pub mod cantus;
mod control;
pub mod dagu;
mod detect;
mod document;
mod fields;
pub mod plain;
pub mod soulspec;

pub use detect::{Detection, detect};
pub(crate) use document::is_authored;
pub use document::{AUTHORED_FOLDERS, Context, Document, Emitted, Parsed, Provenance, emit, parse};
