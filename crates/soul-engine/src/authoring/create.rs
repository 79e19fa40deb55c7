//! A new agent with the files beside its soul.

use std::path::Path;

use soul_core::digest::RawDigest;
use soul_core::formats::soulspec::MANIFESTS;

use super::{Applied, Change, Error, Owner, apply, check_not_own, create_agent};
use crate::Keeper;
use crate::fields::ExpectedDigest;
use crate::files::{self, Directory, SOUL_FILE};
use crate::souls;
use crate::store::Texts;
use crate::workspace::{Agent, AgentName};

/// Creates an agent from its first text and the files beside it, by path. An agent that has no soul yet gets one.
pub(crate) fn create(
    keeper: &Keeper,
    name: &AgentName,
    companions: &[(&String, &String)],
    mut change: Change,
) -> Result<Applied, Error> {
    check_not_own(keeper, &Owner::Agent(name.clone()), &change.author.actor)?;
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
    // The manifest is a part of the soul, and it is there first.
    let manifest = companions.iter().find(|(path, _)| MANIFESTS.contains(&path.as_str()));
    change.expected = manifest.map(|(_, text)| ExpectedDigest::new(&RawDigest::of(text.as_bytes()).to_string()));
    if let Some(texts) = keeper.texts()? {
        return create_stored(keeper, texts, &agent, companions, change);
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
        // Half an agent is not kept; what another program put there stays.
        if !matches!(error, Error::Unconfirmed(..)) {
            written.iter().for_each(|path| _ = std::fs::remove_file(path));
            let above = |path: &'_ Path| {
                path.ancestors()
                    .skip(1)
                    .take_while(|folder| *folder != agent.path)
                    .map(Path::to_path_buf)
                    .collect::<Vec<_>>()
            };
            let mut folders: Vec<_> = written.iter().flat_map(|path| above(path)).collect();
            folders.sort_by_key(|folder| std::cmp::Reverse(folder.as_os_str().len()));
            folders.iter().for_each(|folder| _ = std::fs::remove_dir(folder));
            if is_new {
                let _ = std::fs::remove_dir(&agent.path);
            }
        }
    })
}

/// The same where texts are kept in the database.
fn create_stored(
    keeper: &Keeper,
    texts: &dyn Texts,
    agent: &Agent,
    companions: &[(&String, &String)],
    change: Change,
) -> Result<Applied, Error> {
    let (key, now) = (agent.key().map_err(souls::Error::WorkspaceId)?, keeper.now());
    let mut written = Vec::new();
    let made = companions.iter().try_for_each(|(path, text)| {
        if texts.replace_text(&key, path, None, Some(text.as_bytes()), now)? {
            written.push((*path, *text));
        }
        Ok(())
    });
    made.and_then(|()| apply(keeper, agent, change)).inspect_err(|error| {
        if !matches!(error, Error::Unconfirmed(..)) {
            for (path, text) in &written {
                let _ = texts.replace_text(&key, path, Some(text.as_bytes()), None, now);
            }
        }
    })
}

fn holds(agent: &Agent, path: &str, text: &str) -> bool {
    let found = Directory::open_unlinked(&agent.path).and_then(|directory| directory.read(path));
    found.is_ok_and(|found| found == text.as_bytes())
}
