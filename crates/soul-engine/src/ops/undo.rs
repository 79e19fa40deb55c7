//! Take back the last change of an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rollback::{Plan, Response};
use super::{Error, Hints, Operation, write};
use crate::authoring::{self, Change, Intent, UNDO};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, IdempotencyKey, NonBlank, given};
use crate::ids::RevisionId;
use crate::store::Message;
use crate::workspace::AgentName;

/// Take back the last change of an agent's soul: the text before it comes back, under today's rules. Done again, it
/// goes one change further back. A file that was changed outside goes back to the last recorded text, after what is
/// in it has been recorded.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The digest of the soul that you have seen, canonical or raw; required if there is one.
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
    /// Why to write the text although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
    /// Show what would change, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}

impl Operation for Request {
    const NAME: &'static str = UNDO;
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.dry_run { Grant::Read } else { Grant::Write }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        if self.dry_run {
            let agent = keeper.agent(&self.agent)?;
            let id = authoring::undo_goal(keeper, &agent, self.expected_digest.as_ref())?;
            return Ok(Response::Plan(Box::new(Plan::new(context, agent, id, Self::NAME, self.force.as_ref())?)));
        }
        let change = Change {
            expected: self.expected_digest,
            expected_revision: self.expected_revision,
            idempotency_key: self.idempotency_key,
            message: self.message,
            force: self.force,
            ..Change::new(Intent::Undo, context.author(Self::NAME))
        };
        let applied = authoring::roll_back(keeper, &self.agent, change)?;
        Ok(Response::Done(Box::new(write::Response::new(keeper, applied))))
    }
}
