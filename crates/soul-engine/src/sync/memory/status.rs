//! How a memory stands with its remote.

use std::collections::BTreeMap;

use soul_core::digest::RawDigest;

use super::remote::{Remote, is_synced, remote};
use super::result::MemorySyncState;
use super::state::State;
use super::{agent_of, home_of, manifest_defaults};
use crate::Keeper;
use crate::files;
use crate::memory::{self, MemoryOf};
use crate::souls;
use crate::sync::repository::Repository;
use crate::sync::state::Home;
use crate::sync::{Error, auto};
use crate::workspace::{AgentName, Memory};

/// How a memory stands with its remote, after a fetch; none if it has none.
pub(crate) fn status(keeper: &Keeper, memory: &MemoryOf) -> Result<Option<MemorySyncState>, Error> {
    let Ok(agent) = agent_of(keeper, memory) else { return Ok(None) };
    let Some(key) = agent.known_key().map_err(souls::Error::WorkspaceId)? else { return Ok(None) };
    let Some(_) = keeper.home() else { return Ok(None) };
    let home = home_of(keeper, &key)?;
    let Some(state) = home.load::<State>()? else { return Ok(None) };
    let memory = memory.open(keeper)?;
    let changed = changed(&state, &local(keeper, &memory)?);
    let fetched = home.lock().and_then(|_lock| {
        let repository = Repository::open(&home.clone_path())?;
        let tip = repository.fetch(&state.repository, &state.branch)?;
        let remote = remote(&repository, tip, memory.layout())?;
        behind(&repository, &state, &remote)
    });
    let (behind, error) = match fetched {
        Ok(behind) => (Some(behind), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Ok(Some(MemorySyncState {
        remote: state.repository.to_string(),
        branch: state.branch.to_string(),
        ahead: behind.map(|_| usize::from(!changed.is_empty())),
        behind,
        changed,
        last_sync_at: state.last_sync_at,
        error,
        auto_sync: auto::read(keeper, &home),
    }))
}

/// The agents whose memory the service syncs by itself: connected, and not switched off by their manifest.
pub(in crate::sync) fn connected(keeper: &Keeper) -> Vec<AgentName> {
    let is_on = |home: &Home| -> Option<AgentName> {
        let state: State = home.load().ok()??;
        let name: AgentName = state.key.name.parse().ok()?;
        let agent = keeper.agent(&name).ok()?;
        let is_it = agent.known_key().ok()?.is_some_and(|key| key == state.key);
        (is_it && manifest_defaults(&agent).enabled != Some(false)).then_some(name)
    };
    Home::memories(keeper).iter().filter_map(is_on).collect()
}

/// What is to be pushed, in one number; none if nothing is. Nothing is fetched.
pub(in crate::sync) fn pending(keeper: &Keeper, name: &AgentName) -> Option<u64> {
    let home = auto_home(keeper, name)?;
    let state: State = home.load().ok()??;
    let local = local(keeper, &MemoryOf::Agent(name.clone()).open(keeper).ok()?).ok()?;
    let changed = changed(&state, &local);
    let texts: Vec<_> = changed.iter().map(|file| (file, local.get(file).map(RawDigest::as_bytes))).collect();
    (!texts.is_empty()).then(|| auto::fingerprint(&texts))
}

/// Where the state of an agent's memory is.
pub(in crate::sync) fn auto_home(keeper: &Keeper, name: &AgentName) -> Option<Home> {
    let key = keeper.agent(name).ok()?.known_key().ok()??;
    home_of(keeper, &key).ok()
}

/// The digests of the files that are synced: everything but live state.
pub(super) fn local(keeper: &Keeper, memory: &Memory) -> Result<BTreeMap<String, RawDigest>, Error> {
    let unlistable = |error: files::Error| memory::Error::Unlistable(keeper.roots.shown(memory.root()), error.into());
    let look = memory.look().map_err(unlistable)?;
    let mut found = BTreeMap::new();
    for file in look.files.into_keys().filter(|file| is_synced(memory.layout(), file).is_ok()) {
        match memory.read(&file) {
            Ok(bytes) => drop(found.insert(file, RawDigest::of(&bytes))),
            Err(files::Error::NotFound) => {}
            Err(error) => return Err(memory::Error::Refused(file, error.into()).into()),
        }
    }
    Ok(found)
}

/// Files that are not as they were synced.
pub(super) fn changed(state: &State, local: &BTreeMap<String, RawDigest>) -> Vec<String> {
    let new = local.iter().filter(|(file, hash)| state.files.get(*file).is_none_or(|common| common.hash != **hash));
    let gone = state.files.keys().filter(|file| !local.contains_key(*file));
    let mut changed: Vec<String> = new.map(|(file, _)| file.clone()).chain(gone.cloned()).collect();
    changed.sort();
    changed
}

/// How many commits of the remote are not here yet.
pub(super) fn behind(repository: &Repository, state: &State, remote: &Remote) -> Result<usize, Error> {
    let Some(tip) = &remote.tip else { return Ok(0) };
    match &state.commit {
        Some(commit) if commit == tip => Ok(0),
        Some(commit) if repository.has(commit)? => repository.count(Some(commit), tip),
        _ => repository.count(None, tip),
    }
}
