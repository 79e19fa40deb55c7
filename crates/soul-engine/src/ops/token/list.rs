//! Tell of all tokens, never what proves them.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::ops::{Error, Grant};
use crate::store::Token;

/// It tells who may ask.
pub const GRANT: Grant = Grant::Tokens;

/// All of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {}

/// The tokens, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// Each of them, those that were revoked too.
    pub tokens: Vec<Token>,
}

/// Lists the tokens.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, Request {}: Request) -> Result<Response, Error> {
    let tokens = keeper.existing_store()?.map(|store| store.tokens()).transpose()?.unwrap_or_default();
    Ok(Response { tokens })
}
