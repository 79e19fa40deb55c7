//! Propose a change of an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::edits::SectionEdit;

use super::{Error, Hints, Operation, write};
use crate::Keeper;
use crate::authoring::Applied;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, NonBlank, given};
use crate::proposals::{self, Conflict, Difference, Grounds, Standing, Wanted};
use crate::store::Proposal;
use crate::workspace::AgentName;

/// Propose a change of an agent's soul, such as your own, for a person to accept or reject. The soul does not change
/// now. Give the whole new text in `body`, or only the sections that change in `edits`, and say why. The change is
/// validated and scanned; an invalid one is refused with diagnostics.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent whose soul is to change.
    pub agent: AgentName,
    /// The whole new text of its SOUL.md.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// Changes of single sections, made in this order; instead of `body`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<SectionEdit>,
    /// Why the change is good, for the reviewer (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub reason: Option<NonBlank>,
    /// What the reason is based on, such as what a user said (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub evidence: Option<NonBlank<16384>>,
    /// The session in which it came up (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session: Option<NonBlank<256>>,
}

impl Request {
    /// A whole text for an agent.
    #[must_use]
    pub const fn new(agent: AgentName, body: Body) -> Self {
        Self { agent, body: Some(body), edits: Vec::new(), reason: None, evidence: None, session: None }
    }
}

/// A proposal, and what it would change now.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProposalAnswer")]
pub struct Response {
    /// The proposal.
    pub proposal: Proposal,
    /// What it changes: of the current soul while it is pending, else of the one that it was made from.
    pub diff: Difference,
    /// The protected parts of the soul that it touches, as `protect` names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<String>,
    /// Whether the soul has changed since, and the diff shows both changes merged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merged: bool,
    /// Where the soul was changed at the same place since, so that it cannot be accepted as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Whether the same change was pending already; nothing was added.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// The soul after the change and the record of it, if the proposal was accepted just now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<write::Response>>,
}

impl Response {
    pub(super) fn new(keeper: &Keeper, standing: Standing, applied: Option<Applied>) -> Self {
        let Standing { proposal, difference, protected, merged, conflicts } = standing;
        let change = applied.map(|applied| Box::new(write::Response::new(keeper, applied)));
        Self { proposal, diff: difference, protected, merged, conflicts, repeated: false, change }
    }
}

/// The most edits of one proposal. Each reads the text anew, and a person has to review them all.
const MOST_EDITS: usize = 100;

impl Operation for Request {
    const NAME: &'static str = "propose";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = Response;

    /// A proposal changes no soul, so a caller that may read it may propose.
    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, body, edits, reason, evidence, session } = self;
        let wanted = match (body, edits) {
            (Some(body), edits) if edits.is_empty() => Wanted::Text(body.0),
            (None, edits) if edits.len() > MOST_EDITS => {
                return Err(Error::BadRequest(format!("`edits` has {} entries, at most {MOST_EDITS}", edits.len())));
            }
            (None, edits) if !edits.is_empty() => Wanted::Edits(edits),
            _ => return Err(proposals::Error::TextOrEdits.into()),
        };
        let grounds = Grounds { reason, evidence, session };
        let made = proposals::propose(context.keeper, &agent, wanted, grounds, &context.author(Self::NAME))?;
        let answer = Response::new(context.keeper, made.standing, made.accepted);
        Ok(Response { repeated: made.repeated, ..answer })
    }
}
