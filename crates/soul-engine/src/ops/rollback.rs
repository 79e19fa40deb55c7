//! Bring an earlier text of a soul back, under today's rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::diff::{self, Side};
use super::{Error, Hints, Operation, inspect, write};
use crate::authoring::{self, Change, Earlier, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, IdempotencyKey, NonBlank, given};
use crate::ids::RevisionId;
use crate::souls;
use crate::store::Message;
use crate::workspace::{Agent, AgentName};

/// Restore an earlier text of an agent's soul. What today's rules forbid cannot come back.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The revision whose text comes back: its id, at least six characters from the beginning of it, or `@` for the
    /// last one, `@-` for the one before it, `@-2` for the one before that.
    pub revision_id: RevisionId,
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

/// The soul after a rollback and the record of it, or with `dry_run` what would change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "RollbackAnswer")]
pub enum Response {
    /// The rollback was done.
    Done(Box<write::Response>),
    /// It was a dry run.
    Plan(Box<Plan>),
}

/// What a rollback would do.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RollbackPlan")]
pub struct Plan {
    /// Always true.
    pub dry_run: bool,
    /// The soul as it would be.
    pub soul: inspect::Response,
    /// What would change.
    pub diff: diff::Response,
}

impl Operation for Request {
    const NAME: &'static str = "rollback";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.dry_run { Grant::Read } else { Grant::Write }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.dry_run {
            return self.plan(context).map(|plan| Response::Plan(Box::new(plan)));
        }
        let change = Change {
            expected: self.expected_digest,
            expected_revision: self.expected_revision,
            idempotency_key: self.idempotency_key,
            message: self.message,
            force: self.force,
            ..Change::new(Intent::Rollback(self.revision_id), context.author(Self::NAME))
        };
        let applied = authoring::roll_back(context.keeper, &self.agent, change)?;
        Ok(Response::Done(Box::new(write::Response::new(context.keeper, applied))))
    }
}

impl Request {
    fn plan(self, context: &Context<'_>) -> Result<Plan, Error> {
        let keeper = context.keeper;
        let agent = keeper.agent(&self.agent)?;
        let missing = || authoring::Error::RevisionNotFound(self.revision_id.clone());
        let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
        let store = keeper.existing_store()?.ok_or_else(missing)?;
        let id = authoring::named(store, &key, &self.revision_id)?;
        if let Some(expected) = &self.expected_digest {
            authoring::check_expected(keeper, store, &key, &agent, expected)?;
        }
        Plan::new(context, agent, id, Self::NAME, self.force.as_ref())
    }
}

impl Plan {
    /// What would change if the text of a revision came back; an error if it would be refused.
    pub(super) fn new(
        context: &Context<'_>,
        agent: Agent,
        id: RevisionId,
        operation: &'static str,
        force: Option<&NonBlank>,
    ) -> Result<Self, Error> {
        let keeper = context.keeper;
        let missing = || authoring::Error::RevisionNotFound(id.clone());
        let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
        let store = keeper.existing_store()?.ok_or_else(missing)?;
        let Earlier { body, dialect } = authoring::earlier(store, &key, &id)?;
        let soul = authoring::recorded_soul(keeper, &agent, Some(&body), dialect).valid()?;
        authoring::admit(keeper, &soul, &body, &context.author(operation).actor, force)?;
        let (from, to) = (Side::File, Side::Revision(id));
        let diff = diff::Request { from: Some(from), to: Some(to), ..diff::Request::new(agent.name) }.run(context)?;
        Ok(Self { dry_run: true, soul: inspect::Response::new(keeper, soul, false), diff })
    }
}
