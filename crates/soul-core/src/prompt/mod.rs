//! What of a soul reaches a model, beyond the identity text that each dialect projects itself.
//! Nothing here reads a file; callers bring parsed documents.

mod compact;

pub use compact::{Compact, Status};
