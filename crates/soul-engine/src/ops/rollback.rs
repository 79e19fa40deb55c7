//! Bring an earlier text of a soul back, under today's rules.

use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::Profile;

use super::diff::{self, Side};
use super::inspect::{self, respond};
use super::load::{self, Text};
use super::payload::{Authorship, Changed};
use super::{Error, Grant};
use crate::Keeper;
use crate::authoring::{self, Change, Earlier, Intent};
use crate::ids::RevisionId;
use crate::workspace::AgentName;

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Whose soul, and to which revision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The revision.
    pub revision: RevisionId,
    /// Whether only to tell what would be done.
    pub dry_run: bool,
    /// Who asks for it, having seen what.
    pub authorship: Authorship,
}

/// What was done, or would be.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Response {
    /// It was done.
    Done(Box<Changed>),
    /// It would be so.
    Plan(Box<Plan>),
}

/// What a rollback would do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    /// Always true.
    pub dry_run: bool,
    /// The soul as it would be.
    pub soul: inspect::Response,
    /// What would change.
    pub diff: diff::Response,
}

/// Puts the text of the revision in place of the agent's SOUL.md.
///
/// # Errors
/// When there is no such revision, today's rules forbid its text, the soul is not what the asker
/// believed, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    if request.dry_run {
        return plan(keeper, request).map(|plan| Response::Plan(Box::new(plan)));
    }
    let Authorship { expected_digest, idempotency_key, force, asker } = request.authorship;
    let change = Change {
        intent: Intent::Rollback(request.revision),
        expected: expected_digest,
        idempotency_key,
        dialect: None,
        force,
        actor: asker.actor,
        origin: asker.origin,
    };
    let agent = keeper.agent(&request.agent)?;
    let changed = Changed::new(keeper, &request.agent, authoring::apply(keeper, &agent, change)?);
    Ok(Response::Done(Box::new(changed)))
}

fn plan(keeper: &Keeper, request: Request) -> Result<Plan, Error> {
    let agent = keeper.agent(&request.agent)?;
    let missing = || Error::RevisionNotFound(request.revision.clone());
    let key = agent.known_key().map_err(Error::workspace)?.ok_or_else(missing)?;
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let Earlier { body, dialect } = authoring::earlier(store, &key, &request.revision)?;
    if let Some(expected) = &request.authorship.expected_digest {
        authoring::is_expected(keeper, &agent, expected)?;
    }
    let loaded = load::of_agent(keeper, &agent, dialect, Profile::Lenient, Text::Proposed(&body));
    let soul = respond(keeper, loaded);
    if !soul.valid {
        return Err(Error::Invalid(Box::new(soul)));
    }
    let (from, to) = (Side::File, Side::Revision(request.revision));
    let diff = diff::run(keeper, diff::Request { agent: request.agent, from: Some(from), to: Some(to) })?;
    Ok(Plan { dry_run: true, soul, diff })
}
