//! What of a soul reaches a model, beyond the identity text that each dialect projects itself: the
//! compact context, and the full prompt. Nothing here reads a file; callers bring the texts.
//!
//! In the full prompt the first and the last word are embedded, and everything that others wrote
//! stands between markers that it cannot write itself.

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

pub use assemble::{LimitSource, Parts, Passage, Prompt, assemble};
pub use base::{Unclosed, agent_body};
pub use compact::{Compact, Status};
pub use layer::Layer;
pub use limits::hard_limits;
pub use marker::{ESCAPE, MARKER, escape, unescape};
pub use memory::{Memory, MemoryIndex, by_age};
pub use persona::Persona;
pub use safety::Slots;
