//! Create a token.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::visible;

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ids::TokenId;
use crate::ops::{Error, Hints, Operation};
use crate::store::{Role, Token};
use crate::tokens::{self, Secret};
use crate::workspace::AgentName;

/// The longest name, in bytes: it stands in every record of what is done with the token.
const MAX_NAME: usize = 64;

/// Create a token. Its secret is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The role: a viewer reads, an author writes too, an admin makes tokens too.
    pub role: Role,
    /// Grant only these of what the role has. Default: all of it.
    #[serde(default)]
    pub grants: Vec<Grant>,
    /// A name for people.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub name: Option<NonBlank>,
    /// The agent that holds it: it acts as that agent, and cannot change its own soul with it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
}

/// A new token, and its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NewToken")]
pub struct Response {
    /// The token.
    pub token: Token,
    /// The secret. It cannot be shown again.
    pub secret: Secret,
}

impl Operation for Request {
    const NAME: &'static str = "token.create";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { role, grants, name, agent } = self;
        if agent.is_some() && role == Role::Admin {
            return Err(tokens::Error::AdminAgent.into());
        }
        if let Some(beyond) = grants.iter().find(|grant| !role.grants().contains(grant)) {
            return Err(tokens::Error::BeyondRole(role, *beyond).into());
        }
        let name = name.map(|name| visible(name.as_str().trim()));
        if name.as_ref().is_some_and(|name| name.len() > MAX_NAME) {
            return Err(tokens::Error::LongName.into());
        }
        let granted = role.grants().iter().filter(|grant| grants.is_empty() || grants.contains(grant));
        let created_at = context.keeper.now();
        let id = TokenId::fresh_at(created_at);
        let secret = Secret::fresh(&id)?;
        let grants = granted.copied().collect();
        let agent = agent.map(|agent| agent.as_str().to_owned());
        let token = Token { id, name, role, grants, agent, created_at, revoked_at: None };
        let author = context.author(Self::NAME);
        context.keeper.store()?.add_token(&token, &secret.proof(), &author.actor, &author.origin)?;
        Ok(Response { token, secret })
    }
}
