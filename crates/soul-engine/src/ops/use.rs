//! Use an installed package for an agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation, write};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry::{self, Done, PackageName, Version};
use crate::store::Message;
use crate::workspace::AgentName;

/// Use an installed package for an agent: its soul is recorded like any other change, and its files are placed where the
/// layout says. USER.md and the memory are never overwritten. `restore` takes all of it back.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The package.
    pub package: PackageName,
    /// The agent; it is created if there is none. Default: the name of the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// Why it is used (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

/// What was changed for an agent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "UsedPackage")]
pub struct Response {
    /// The agent.
    pub agent: AgentName,
    /// The package.
    pub package: PackageName,
    /// Its version.
    pub version: Version,
    /// The files that were written, from the agent's directory, besides the soul itself.
    pub written: Vec<String>,
    /// The files that were removed.
    pub removed: Vec<String>,
    /// The files that stayed as they were, because they are the user's or the agent's own.
    pub kept: Vec<String>,
    /// The soul, and the record of its change.
    #[serde(flatten)]
    pub change: Option<write::Response>,
}

impl Response {
    pub(super) fn new(context: &Context<'_>, agent: AgentName, done: Done) -> Self {
        let Done { applied, package, version, written, removed, kept } = done;
        let change = applied.map(|applied| write::Response::new(context.keeper, applied));
        Self { agent, package, version, written, removed, kept, change }
    }
}

impl Operation for Request {
    const NAME: &'static str = "use";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let agent = match self.agent {
            Some(agent) => agent,
            None => self.package.name().parse().map_err(crate::souls::Error::from)?,
        };
        let author = context.author(Self::NAME);
        let done = registry::activate(context.keeper, &self.package, &agent, self.message, author)?;
        Ok(Response::new(context, agent, done))
    }
}
