//! Give a library that was never begun its first soul, the default one.

use serde::Serialize;

use crate::Keeper;
use crate::library::seed::seed;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// What became of it.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// Whether the soul was put there now.
    pub seeded: bool,
}

/// Seeds the library, if there is neither a soul in it nor the mark that there once was one. Whoever
/// offers a library to people calls this first; a library that has been begun is left alone.
///
/// # Errors
/// When it could not be done; then the library is empty, and sessions run on the built-in soul.
pub fn run(keeper: &Keeper, asker: Asker) -> Result<Response, Error> {
    Ok(Response { seeded: seed(keeper, asker)? })
}
