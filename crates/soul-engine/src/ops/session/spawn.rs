//! Start a session from another one. The child has its own soul; of the parent's only the digest is
//! noted.

use super::{Resolved, agent, find, resolve};
use crate::Keeper;
use crate::ids::SessionId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::{NewSession, SessionState};
use crate::workspace::AgentName;
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Whose session, from which.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The session that starts it.
    pub parent: SessionId,
    /// The agent.
    pub agent: AgentName,
    /// Who asks.
    pub asker: Asker,
}

/// Starts the session.
///
/// # Errors
/// When the parent is not live, there is no such agent, or its soul is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Resolved, Error> {
    let parent = find(keeper, &request.parent)?;
    if parent.state == SessionState::Stopped {
        return Err(Error::SessionStopped(request.parent));
    }
    let (agent, key) = agent(keeper, &request.agent)?;
    let (soul, binding) = resolve(keeper, &agent, &key)?;
    let Asker { actor, origin } = request.asker;
    let parent = Some((parent.id, parent.soul_digest));
    let session =
        keeper.store()?.start_session(&NewSession { key, parent, actor, origin, now: keeper.now() }, &binding)?;
    Resolved::new(keeper, session, soul)
}
