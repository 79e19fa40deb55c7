//! Make a token.

use serde::{Deserialize, Serialize};
use soul_core::text::visible;

use super::Secret;
use crate::Keeper;
use crate::ids::TokenId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::{Role, Token};

/// It makes tokens.
pub const GRANT: Grant = Grant::Tokens;

/// The most bytes of a name: it stands in every record of what is done with the token.
const MAX_NAME: usize = 64;

/// What the token is to be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// What it is for.
    pub role: Role,
    /// What it grants of what its role grants; all of that if nothing is said.
    pub grants: Vec<Grant>,
    /// What people call it.
    pub name: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// The token, and what proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The token.
    pub token: Token,
    /// What proves it. Nobody can tell it again.
    pub secret: Secret,
}

/// Makes the token. It is good from now on.
///
/// # Errors
/// When a grant is more than its role has, the name is none, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { role, grants, name, asker } = request;
    if let Some(beyond) = grants.iter().find(|grant| !role.grants().contains(grant)) {
        return Err(Error::BeyondRole(role, *beyond));
    }
    let name = name.map(|name| visible(name.trim())).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.len() > MAX_NAME) {
        return Err(Error::LongTokenName);
    }
    let granted = role.grants().iter().filter(|grant| grants.is_empty() || grants.contains(grant));
    let created_at = keeper.now();
    let id = TokenId::fresh_at(created_at);
    let secret = Secret::fresh(&id)?;
    let token = Token { id, name, role, grants: granted.copied().collect(), created_at, revoked_at: None };
    keeper.store()?.add_token(&token, &secret.proof(), &asker.actor, &asker.origin)?;
    Ok(Response { token, secret })
}
