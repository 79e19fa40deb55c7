//! Start a session from another one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Bound;
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Operation, receipt};
use crate::sessions::{self, agent, resolve};
use crate::store::{NewSession, SessionState};
use crate::workspace::AgentName;

/// Start a session from another one. The child has its own agent's soul; only the digest of the parent's is
/// recorded.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session that starts it.
    pub parent_id: SessionId,
    /// The agent of the new session.
    pub agent: AgentName,
}

impl Operation for Request {
    const NAME: &'static str = "session.spawn";
    const HINTS: Hints = Hints::ADD;
    type Response = Bound;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Bound, Error> {
        let keeper = context.keeper;
        let parent = sessions::find(keeper, &self.parent_id)?;
        if parent.state == SessionState::Stopped {
            return Err(sessions::Error::SessionStopped(parent.id).into());
        }
        let (agent, key) = agent(keeper, &self.agent)?;
        let (soul, binding) = resolve(keeper, &agent, &key)?;
        let author = context.author(Self::NAME);
        let parent = Some((parent.id, parent.soul_digest));
        let new = NewSession { key, parent, actor: author.actor, origin: author.origin, now: keeper.now() };
        Bound::new(keeper, keeper.store()?.start_session(&new, &receipt::with_prompt(binding))?, soul)
    }
}
