//! Write an agent's soul.

use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;

pub use super::payload::Changed as Response;
use super::payload::{Authorship, Changed};
use super::{Error, Grant};
use crate::Keeper;
use crate::authoring::{self, Change, Intent};
use crate::bytes;
use crate::files;
use crate::workspace::{Agent, AgentName};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Whose soul, and the text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The new text.
    #[serde(with = "bytes")]
    pub body: Vec<u8>,
    /// The dialect that holds from here on, if it is not to be the one that the text shows.
    pub dialect: Option<Dialect>,
    /// Whether an agent that is not there is made.
    pub create: bool,
    /// Who asks for it, having seen what.
    pub authorship: Authorship,
}

/// Puts the text in place of the agent's SOUL.md.
///
/// # Errors
/// When the soul is not what the asker believed, the text is invalid, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Changed, Error> {
    let Authorship { expected_digest, idempotency_key, force, asker } = request.authorship;
    let (agent, made) = match keeper.agent(&request.agent) {
        Err(Error::AgentNotFound(name)) if request.create => (create(keeper, &name)?, true),
        found => (found?, false),
    };
    let change = Change {
        intent: Intent::Put(request.body),
        expected: expected_digest,
        idempotency_key,
        dialect: request.dialect,
        force,
        actor: asker.actor,
        origin: asker.origin,
    };
    let applied = authoring::apply(keeper, &agent, change).inspect_err(|_| {
        // An agent that was made for a text which was refused is no agent; one that is not empty is.
        if made {
            let _ = std::fs::remove_dir(&agent.path);
        }
    })?;
    Ok(Changed::new(keeper, &request.agent, applied))
}

/// Makes the directory of an agent. The home comes first, with the store: it is nobody else's to read.
fn create(keeper: &Keeper, name: &AgentName) -> Result<Agent, Error> {
    keeper.store()?;
    let made = keeper.roots.create_agent(&keeper.settings.discovery, name);
    made.map_err(|error| Error::Unwritable(format!("the directory of {name}"), files::plain(&error)))
}
