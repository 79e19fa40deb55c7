//! Remove an agent's soul. What it was stays on record.

pub use super::payload::Changed as Response;
use super::payload::{Authorship, Changed};
use super::{Error, Grant};
use crate::Keeper;
use crate::authoring::{self, Change, Intent};
use crate::workspace::AgentName;
use serde::{Deserialize, Serialize};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Whose soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// Who asks for it, having seen what.
    pub authorship: Authorship,
}

/// Takes the agent's SOUL.md away.
///
/// # Errors
/// When there is none, it is not what the asker believed, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Changed, Error> {
    let Authorship { expected_digest, idempotency_key, force, asker } = request.authorship;
    let change = Change {
        intent: Intent::Delete,
        expected: expected_digest,
        idempotency_key,
        dialect: None,
        force,
        actor: asker.actor,
        origin: asker.origin,
    };
    let agent = keeper.agent(&request.agent)?;
    Ok(Changed::new(keeper, &request.agent, authoring::apply(keeper, &agent, change)?))
}
