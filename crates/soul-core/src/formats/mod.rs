//! The dialects, one folder each, with the same three verbs: `parse`, `render`, `project`.
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
pub mod soulspec;

pub use detect::{Detection, detect};
pub use document::{Context, Document, Fresh, Parsed, Provenance, emit, parse};
