//! Start a session of an agent on its soul as it is now.

use super::{Resolved, agent, resolve};
use crate::Keeper;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::NewSession;
use crate::workspace::AgentName;

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Whose session.
#[derive(Debug, Clone)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// Who asks.
    pub asker: Asker,
}

/// Starts the session.
///
/// # Errors
/// When there is no such agent, or its soul is invalid: then there is no session.
pub fn run(keeper: &Keeper, request: Request) -> Result<Resolved, Error> {
    let (agent, key) = agent(keeper, &request.agent)?;
    let (soul, binding) = resolve(keeper, &agent, &key)?;
    let Asker { actor, origin } = request.asker;
    let session = keeper.store()?.start_session(&NewSession { key, parent: None, actor, origin }, &binding)?;
    Resolved::new(keeper, &request.agent, session, soul)
}
