//! List tokens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::store::Token;
use crate::tokens;

/// List all tokens, oldest first, revoked ones too; never their secrets.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// All tokens, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TokenList")]
pub struct Response {
    /// The tokens.
    pub tokens: Vec<Token>,
}

impl Operation for Request {
    const NAME: &'static str = "token.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        Ok(Response { tokens: tokens::all(context.keeper)? })
    }
}
