//! Agents that may not exist yet, or no longer.

use super::{Applied, Change, Error, Owner, apply, check_not_own};
use crate::Keeper;
use crate::files::Creation;
use crate::souls;
use crate::workspace::{Agent, AgentName};

/// Writes the soul of an agent that may not exist yet.
pub(crate) fn put(keeper: &Keeper, name: &AgentName, create: bool, change: Change) -> Result<Applied, Error> {
    // Before a directory is made for it.
    check_not_own(keeper, &Owner::Agent(name.clone()), &change.author.actor)?;
    let (agent, created) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) if create => create_agent(keeper, &name, None)?,
        found => (found?, None),
    };
    apply_to(keeper, &agent, created, change)
}

/// Brings an earlier soul of an agent back. If the agent's directory is gone and its record is there, the directory is
/// made again.
pub(crate) fn roll_back(keeper: &Keeper, name: &AgentName, change: Change) -> Result<Applied, Error> {
    check_not_own(keeper, &Owner::Agent(name.clone()), &change.author.actor)?;
    let (agent, created) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) => {
            let scope = keeper.known_key(&name)?.map(|key| key.scope);
            create_agent(keeper, &name, scope.as_deref())?
        }
        found => (found?, None),
    };
    apply_to(keeper, &agent, created, change)
}

/// A directory that was made for a text which was refused goes again, unless something was put there.
pub(super) fn apply_to(
    keeper: &Keeper,
    agent: &Agent,
    created: Option<Creation>,
    change: Change,
) -> Result<Applied, Error> {
    apply(keeper, agent, change).inspect_err(|_| {
        if created.is_some() {
            let _ = std::fs::remove_dir(&agent.path);
        }
    })
}

/// Makes the directory of an agent. The home comes first, with the store, so that nobody else can read it.
pub(crate) fn create_agent(
    keeper: &Keeper,
    name: &AgentName,
    scope: Option<&str>,
) -> Result<(Agent, Option<Creation>), Error> {
    keeper.store()?;
    let created = keeper.roots.create_agent(&keeper.settings.discovery, name, scope);
    let created = created.map_err(|error| Error::Unwritable(format!("the directory of {name}"), error))?;
    Ok((created.0, Some(created.1)))
}
