//! Souls in the files of other programs: export and import, one folder a form.
//!
//! Bytes in, files out: nothing here touches a disk. An exporter makes files of a [`Material`]; an importer reads
//! [`Files`](crate::runtimes::Files) and returns the files of a plain soul. What is lost either way is a value, never silent. What the
//! programs themselves accept is recorded in `conformance/runtimes`.

pub mod base64;
pub mod character_card;
pub mod claw;
mod compose;
pub mod crewai;
pub mod eliza;
mod import;
mod markdown;
mod material;
mod mcp_tools;
mod messages;
mod secrets;
mod shape;
mod targets;

pub use import::{FORMS, Form, Imported, LeftOut, Refusal, detect, form};
pub use material::Material;
pub use targets::{Made, MadeFile, Make, TARGETS, Target, is_said, target};
