//! Find out whose token a text is. Whoever serves others asks this first.

use serde::{Deserialize, Serialize};

use super::Secret;
use crate::Keeper;
use crate::ops::{Error, Grant};
use crate::store::Token;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// What was presented.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The text.
    pub secret: Secret,
}

/// What it proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The token; none if the text proves none, or one that was revoked.
    pub token: Option<Token>,
}

/// Compares the text with what was kept of the token that it names.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let (Some(id), Some(store)) = (request.secret.id(), keeper.existing_store()?) else {
        return Ok(Response { token: None });
    };
    let found = store.token(&id)?.filter(|(token, proof)| request.secret.proves(proof) && token.is_live());
    Ok(Response { token: found.map(|(token, _)| token) })
}
