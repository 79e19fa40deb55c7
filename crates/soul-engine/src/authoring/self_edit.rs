//! An agent does not change its own soul: it proposes, and a person decides.

use std::path::Path;

use super::{Error, Owner};
use crate::Keeper;
use crate::caller::AGENT;
use crate::files::{self, SOUL_FILE};
use crate::settings::Fallback;
use crate::store::Party;
use crate::workspace::AgentName;

/// Refuses an actor that is the agent whose soul would change.
pub(crate) fn check_not_own(keeper: &Keeper, owner: &Owner, actor: &Party) -> Result<(), Error> {
    let Some(name) = actor.as_agent() else { return Ok(()) };
    let is_own = match owner {
        // As an actor would be spelled on record, in any case: names that differ only in case are one directory on some
        // file systems, and a slip in the configuration of a client must not make an agent its own author.
        Owner::Agent(agent) => Party::new(AGENT, agent.as_str().trim()).name.to_lowercase() == name.to_lowercase(),
        Owner::Library(_) => lives_on_library(keeper, name),
    };
    if is_own { Err(Error::SelfEdit(name.to_owned())) } else { Ok(()) }
}

/// Refuses an actor that is the agent in whose directory a file is.
pub(crate) fn check_not_within_own(keeper: &Keeper, path: &Path, actor: &Party) -> Result<(), Error> {
    let Some(name) = actor.as_agent() else { return Ok(()) };
    let Ok(agent) = name.parse::<AgentName>() else { return Ok(()) };
    let folders = keeper.agent_paths(&agent);
    let is_within =
        |folder: &Path| folder.ancestors().any(|above| folders.iter().any(|own| files::is_same(above, own)));
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = path.canonicalize().unwrap_or_default();
    if is_within(&whole) || is_within(&real) { Err(Error::SelfEdit(name.to_owned())) } else { Ok(()) }
}

/// Refuses an agent that has no soul of its own, for whatever decides which soul of the library it gets.
pub(crate) fn check_not_living_on_library(keeper: &Keeper, actor: &Party) -> Result<(), Error> {
    match actor.as_agent() {
        Some(name) if lives_on_library(keeper, name) => Err(Error::SelfEdit(name.to_owned())),
        _ => Ok(()),
    }
}

/// Whether the soul of an agent is one of the library, because it has none of its own.
fn lives_on_library(keeper: &Keeper, name: &str) -> bool {
    let has_own = || {
        let agent = name.parse::<AgentName>().ok().and_then(|name| keeper.agent(&name).ok());
        agent.is_some_and(|agent| agent.path.join(SOUL_FILE).exists() || agent.path.join(agent.soul_file()).exists())
    };
    keeper.settings.soul.fallback == Fallback::Library && !has_own()
}
