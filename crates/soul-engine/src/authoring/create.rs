//! A new agent with the files beside its soul.

use std::path::Path;

use super::{Applied, Change, Error, apply, create_agent};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE};
use crate::souls;
use crate::workspace::{Agent, AgentName};

/// Creates an agent from its first text and the files beside it, by path. An agent that has no soul yet gets one.
pub(crate) fn create(
    keeper: &Keeper,
    name: &AgentName,
    companions: &[(&String, &String)],
    change: Change,
) -> Result<Applied, Error> {
    let (agent, is_new) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) => (create_agent(keeper, &name, None)?.0, true),
        found => (found?, false),
    };
    let is_there = |path: &str| agent.path.join(path).symlink_metadata().is_ok();
    if is_there(SOUL_FILE) {
        return Err(Error::AgentExists(name.clone()));
    }
    if let Some((path, _)) = companions.iter().find(|(path, text)| is_there(path) && !holds(&agent, path, text)) {
        return Err(Error::InTheWay((*path).clone()));
    }
    let mut written = Vec::new();
    let made = companions.iter().try_for_each(|(path, text)| {
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(agent.path.join(folder))?;
        }
        if !holds(&agent, path, text) && files::create_below(&agent.path, Path::new(path), text.as_bytes())? {
            written.push(agent.path.join(path));
        }
        Ok(())
    });
    let made = made.map_err(|error| Error::Unwritable(format!("the directory of {name}"), error));
    made.and_then(|()| apply(keeper, &agent, change)).inspect_err(|error| {
        // Half an agent is none; what somebody else put there stays.
        if !matches!(error, Error::Unconfirmed(..)) {
            written.iter().for_each(|path| _ = std::fs::remove_file(path));
            let folders = written.iter().filter_map(|path| path.parent()).filter(|folder| *folder != agent.path);
            folders.for_each(|folder| _ = std::fs::remove_dir(folder));
            if is_new {
                let _ = std::fs::remove_dir(&agent.path);
            }
        }
    })
}

fn holds(agent: &Agent, path: &str, text: &str) -> bool {
    let found = Directory::open_unlinked(&agent.path).and_then(|directory| directory.read(path));
    found.is_ok_and(|found| found == text.as_bytes())
}
