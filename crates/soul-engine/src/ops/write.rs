//! Replace an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;
use soul_core::scan::Finding;

use super::revision::{RecordedRevision, source_path};
use super::{Error, Hints, Operation, inspect};
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, ExpectedDigest, IdempotencyKey, NonBlank, given};
use crate::ids::RevisionId;
use crate::store::Message;
use crate::workspace::AgentName;

/// Replace an agent's soul. The change is recorded, and refused if the file is not the one that the caller has
/// seen.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The new text of its SOUL.md.
    pub body: Body,
    /// The digest of the soul that you have seen, canonical or raw; required if there is one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
    /// The revision that you have seen as the last one; refuses if anything was changed since. May stand for the digest.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expected_revision: Option<RevisionId>,
    /// A key under which this change is made once, however often it is requested.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<IdempotencyKey>,
    /// The dialect to read the soul in from now on. Default: the pinned one, else the detected one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Create the agent if it does not exist.
    #[serde(default)]
    pub create: bool,
    /// Why the change is made (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to write the text although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Request {
    /// A text for an agent that may have none yet.
    #[must_use]
    pub const fn new(agent: AgentName, body: Body) -> Self {
        let (expected_digest, expected_revision, idempotency_key) = (None, None, None);
        let (dialect, create, message, force) = (None, false, None, None);
        Self { agent, body, expected_digest, expected_revision, idempotency_key, dialect, create, message, force }
    }
}

/// The soul after a change, and the record of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RecordedChange")]
pub struct Response {
    /// The soul as it is now.
    pub soul: inspect::Response,
    /// The record of the change, or of the current text if it is `unchanged`.
    pub revision: RecordedRevision,
    /// Whether the text was there already: nothing was changed or recorded, and `revision` is the current one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// What the scanner found in the text and accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Whether the workspace had lost its `.soul/id`, and was reconnected with the record that it had here before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reconnected: bool,
}

impl Response {
    pub(super) fn new(keeper: &Keeper, applied: Applied) -> Self {
        let Applied { soul, revision, unchanged, findings, reconnected } = applied;
        let source_path = source_path(keeper, &revision.sealed.key());
        Self {
            soul: inspect::Response::recorded(keeper, soul, &revision),
            revision: RecordedRevision::new(revision, source_path),
            unchanged,
            findings,
            reconnected,
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "write";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let change = Change {
            expected: self.expected_digest,
            expected_revision: self.expected_revision,
            idempotency_key: self.idempotency_key,
            dialect: self.dialect,
            message: self.message,
            force: self.force,
            ..Change::new(Intent::Put(self.body.0), context.author(Self::NAME))
        };
        let applied = authoring::put(context.keeper, &self.agent, self.create, change)?;
        Ok(Response::new(context.keeper, applied))
    }
}
