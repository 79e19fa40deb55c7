//! Take back what using a package has changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation, r#use};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry;
use crate::workspace::AgentName;

/// Take back what `use` has changed for an agent: every file is again what it was, to the byte. What the agent has
/// remembered since is kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// Discard what was changed in the package's files since.
    #[serde(default)]
    pub force: bool,
}

impl Operation for Request {
    const NAME: &'static str = "restore";
    const HINTS: Hints = Hints::REPLACE;
    type Response = r#use::Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<r#use::Response, Error> {
        let done = registry::restore(context.keeper, &self.agent, self.force, context.author(Self::NAME))?;
        Ok(r#use::Response::new(context, self.agent, done))
    }
}
