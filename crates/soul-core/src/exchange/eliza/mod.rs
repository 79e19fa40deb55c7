//! Characters of ElizaOS: one strict JSON object.
//!
//! Recorded from `parseAndValidateCharacter` of @elizaos/core 1.7.2; the cases are in `conformance/runtimes/eliza.jsonl`.
//! Files of v1 have other keys, which are translated.

mod export;
mod import;
mod schema;

pub(super) use export::export;
pub(super) use import::{import, is_character};
pub use schema::read;
