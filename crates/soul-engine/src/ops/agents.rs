//! Every agent there is, and how it stands with its soul.

use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;
use soul_core::formats::soulspec::Profile;

use super::{Error, Grant, inspect};
use crate::Keeper;
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// The agents, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// Each of them.
    pub agents: Vec<Agent>,
}

/// One agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Where its soul is, as users see it.
    pub source_path: String,
    /// Whether it has one.
    pub present: bool,
    /// Whether that has no errors.
    pub valid: bool,
    /// What it says.
    pub digest: Option<Digest>,
}

/// Looks at every agent. One that cannot be read is told as invalid.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper) -> Result<Response, Error> {
    let mut agents = Vec::new();
    for name in keeper.roots.agent_names(&keeper.settings.discovery) {
        let target = Target::Agent(name.clone());
        let name = name.as_str().to_owned();
        match inspect::run(keeper, inspect::Request { target, dialect: None, profile: Profile::Lenient }) {
            Ok(inspect::Response { source_path, present, valid, digest, .. }) => {
                agents.push(Agent { name, source_path, present, valid, digest });
            }
            Err(Error::AgentUnreadable(..)) => {
                agents.push(Agent { source_path: name.clone(), name, present: true, valid: false, digest: None });
            }
            // Gone since it was listed.
            Err(Error::AgentNotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Response { agents })
}
