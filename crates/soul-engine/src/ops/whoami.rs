//! Who a caller is to the keeper.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::{Authority, Grant};
use crate::context::Context;
use crate::ids::TokenId;
use crate::store::{Party, Role};

/// Show who you are to the keeper: the name that goes on record, and what you may do.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// A caller, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CallerIdentity")]
pub struct Response {
    /// The name: of the user, of the token, or of the agent that holds it.
    pub name: String,
    /// Who goes on record for what you do.
    pub actor: Party,
    /// Why you may do what you may do.
    pub authority: Authority,
    /// The role of the token; `null` without one.
    pub role: Option<Role>,
    /// What you may do.
    pub grants: Vec<Grant>,
    /// The transport that the request came through.
    pub transport: String,
    /// The token that was presented; `null` without one.
    pub token_id: Option<TokenId>,
    /// The agent that you are, if you are one.
    pub agent: Option<String>,
}

impl Operation for Request {
    const NAME: &'static str = "whoami";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let caller = context.caller;
        let token = match (caller.token(), context.keeper.existing_store()?) {
            (Some(id), Some(store)) => store.token(id)?.map(|(token, _)| token),
            _ => None,
        };
        let name = token.as_ref().and_then(|token| token.name.clone()).unwrap_or_else(|| caller.actor().name.clone());
        Ok(Response {
            name,
            actor: caller.actor().clone(),
            authority: caller.authority(),
            role: token.map(|token| token.role),
            grants: Grant::ALL.into_iter().filter(|grant| caller.has(*grant)).collect(),
            transport: caller.transport().to_owned(),
            token_id: caller.token().cloned(),
            agent: caller.agent().map(str::to_owned),
        })
    }
}
