//! Start a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Bound;
use crate::caller::Grant;
use crate::context::Context;
use crate::library::chain::Wanted;
use crate::library::{SoulId, member};
use crate::ops::{Error, Hints, Operation, receipt};
use crate::sessions::{agent, resolve, resolve_library};
use crate::store::NewSession;
use crate::workspace::AgentName;

/// Start a session on an agent's soul as it is now, or without an agent on a library soul. An invalid soul has
/// no session.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent, which runs on its own soul.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The id of a library soul, for a session without an agent. Default: the selected one, else `default`, else
    /// the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soul: Option<SoulId>,
}

impl Operation for Request {
    const NAME: &'static str = "session.start";
    const HINTS: Hints = Hints::ADD;
    type Response = Bound;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Bound, Error> {
        let keeper = context.keeper;
        let (key, (soul, binding)) = match (self.agent, self.soul) {
            (Some(name), None) => {
                let (agent, key) = agent(keeper, &name)?;
                let resolved = resolve(keeper, &agent, &key)?;
                (key, resolved)
            }
            (None, Some(id)) => (member::key(keeper, &id), resolve_library(keeper, Wanted::Soul(id))?),
            (None, None) => (member::key(keeper, &SoulId::default_soul()), resolve_library(keeper, Wanted::Chain)?),
            (Some(_), Some(_)) => return Err(Error::BadRequest("give `agent` or `soul`, not both".to_owned())),
        };
        let author = context.author(Self::NAME);
        let new = NewSession { key, parent: None, actor: author.actor, origin: author.origin, now: keeper.now() };
        Bound::new(keeper, keeper.store()?.start_session(&new, &receipt::with_prompt(binding))?, soul)
    }
}
