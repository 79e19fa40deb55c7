//! Revoke a token.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Response;
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::TokenId;
use crate::ops::{Error, Hints, Operation};
use crate::references;
use crate::tokens;

/// Revoke a token, from the next request on. One that is revoked stays so.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The token's id.
    pub id: TokenId,
}

impl Operation for Request {
    const NAME: &'static str = "token.revoke";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let missing = || tokens::Error::NotFound(self.id.clone());
        let store = context.keeper.existing_store()?.ok_or_else(missing)?;
        let id = references::token(store, &self.id)??.ok_or_else(missing)?;
        let author = context.author(Self::NAME);
        let token =
            store.revoke_token(&id, &author.actor, &author.origin, context.keeper.now())?.ok_or_else(missing)?;
        Ok(Response { token })
    }
}
