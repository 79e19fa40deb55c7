//! Delete an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation, write};
use crate::authoring::{self, Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, IdempotencyKey, given};
use crate::ids::RevisionId;
use crate::store::Message;
use crate::workspace::AgentName;

/// Delete an agent's soul. Its history stays, and a rollback restores it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The digest of the soul that you have seen, canonical or raw; required.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
    /// The revision that you have seen as the last one; refuses if anything was changed since. May stand for the digest.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expected_revision: Option<RevisionId>,
    /// A key under which this change is made once, however often it is requested.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<IdempotencyKey>,
    /// Why the change is made (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

impl Operation for Request {
    const NAME: &'static str = "delete";
    const HINTS: Hints = Hints::REPLACE;
    type Response = write::Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<write::Response, Error> {
        let change = Change {
            expected: self.expected_digest,
            expected_revision: self.expected_revision,
            idempotency_key: self.idempotency_key,
            message: self.message,
            ..Change::new(Intent::Delete, context.author(Self::NAME))
        };
        let agent = context.keeper.agent(&self.agent)?;
        Ok(write::Response::new(context.keeper, authoring::apply(context.keeper, &agent, change)?))
    }
}
