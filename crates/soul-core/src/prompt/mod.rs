//! Prompt text beyond the identity text of each dialect: the compact context and the full prompt. Nothing here reads
//! a file; callers pass the texts.
//!
//! The first and the last layer of the full prompt are built in, and all authored text is enclosed in markers that it
//! cannot forge.

mod anchor;
mod assemble;
mod base;
mod compact;
mod fold;
mod layer;
mod limits;
mod marker;
mod memory;
mod persona;
mod safety;
mod transcript;

pub use anchor::{Anchor, anchor};
pub use assemble::{LimitSource, Parts, Passage, Prompt, assemble};
pub use base::{Unclosed, agent_body};
pub use compact::{Compact, Status};
pub use layer::Layer;
pub use limits::hard_limits;
pub use marker::{ESCAPE, MARKER, escape, unescape};
pub use memory::{Memory, MemoryIndex, by_age};
pub use persona::Persona;
pub use transcript::system_prompts;
