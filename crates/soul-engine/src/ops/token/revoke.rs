//! Take back what a token grants.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::ids::TokenId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::Token;

/// It revokes tokens.
pub const GRANT: Grant = Grant::Tokens;

/// Which token.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Its id.
    pub id: TokenId,
    /// Who asks.
    pub asker: Asker,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The token.
    pub token: Token,
}

/// Revokes the token, from the next request on; one that was revoked stays so.
///
/// # Errors
/// When there is no such token, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { id, asker } = request;
    let missing = || Error::TokenNotFound(id.clone());
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let token = store.revoke_token(&id, &asker.actor, &asker.origin, keeper.now())?.ok_or_else(missing)?;
    Ok(Response { token })
}
