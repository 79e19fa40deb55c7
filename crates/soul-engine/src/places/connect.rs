//! What a person decides about a workspace and its record: share it, fork it, or connect with one that was lost.

use std::path::Path;

use super::{Error, TRIES, agent_names, live_place, standing};
use crate::Keeper;
use crate::caller::Author;
use crate::ids::WorkspaceId;
use crate::souls;
use crate::store::{EventKind, NewEvent, NewFork, NewPlace, Place, ScopeRecord, Store};
use crate::workspace::id::{replace_workspace_id, set_workspace_id, workspace_id};
use crate::workspace::{Location, SoulKey};

fn scope_of(root: &Path) -> Result<Option<String>, Error> {
    Ok(workspace_id(root).map_err(souls::Error::WorkspaceId)?)
}

fn here(root: &Path) -> Result<Location, Error> {
    Ok(Location::of(root).map_err(souls::Error::WorkspaceId)?)
}

fn event(kind: EventKind, scope: &str, author: &Author) -> NewEvent {
    NewEvent { scope: Some(scope.to_owned()), ..NewEvent::new(kind, &author.actor, &author.origin) }
}

/// Lets a workspace change the record that its id names beside others that do. Returns the id and all its places.
pub(crate) fn share(keeper: &Keeper, root: &Path, author: &Author) -> Result<(String, Vec<Place>), Error> {
    let scope = scope_of(root)?.ok_or(Error::NoRecord)?;
    let store = keeper.store()?;
    let location = here(root)?;
    let event = event(EventKind::WorkspaceShare, &scope, author);
    for _ in 0..TRIES {
        let known = store.places(&scope)?;
        let (replaces, event) = match standing(&known, &location, &scope) {
            super::Standing::Known(_) => return Ok((scope, known)),
            super::Standing::Moved(place) => (Some(place), None),
            super::Standing::First => (None, None),
            super::Standing::Copy(_) => (None, Some(&event)),
        };
        let now = keeper.now();
        let new = NewPlace { scope: &scope, location: &location, replaces, known: &known, event, now };
        if store.bind_place(&new)?.is_some() {
            let places = store.places(&scope)?;
            return Ok((scope, places));
        }
    }
    Err(Error::Contended)
}

/// What became of a fork.
pub(crate) struct Forked {
    /// The new id.
    pub(crate) scope: String,
    /// The record that it continues.
    pub(crate) parent: String,
    /// How many souls it continues.
    pub(crate) souls: usize,
}

/// Gives a workspace an id of its own, whose record begins with the history so far.
pub(crate) fn fork(keeper: &Keeper, root: &Path, author: &Author) -> Result<Forked, Error> {
    let parent = scope_of(root)?.ok_or(Error::NoRecord)?;
    let store = keeper.store()?;
    if !store.scopes()?.iter().any(|record| record.scope == parent) {
        return Err(Error::NoRecord);
    }
    let now = keeper.now();
    let scope = WorkspaceId::fresh_at(now).as_str().to_owned();
    let event = event(EventKind::WorkspaceFork, &scope, author);
    // The record comes first: with the new id in place and no record of it, the history would be out of sight.
    let fork = NewFork { scope: &scope, parent: &parent, location: &here(root)?, event: &event, now };
    let souls = store.fork_scope(&fork)?;
    replace_workspace_id(root, &scope).map_err(souls::Error::WorkspaceId)?;
    Ok(Forked { scope, parent, souls })
}

/// Connects a workspace that has no record with one whose directory is gone: the one that is named, or the only one
/// that has an agent of the workspace.
pub(crate) fn adopt(keeper: &Keeper, root: &Path, wanted: Option<&str>, author: &Author) -> Result<ScopeRecord, Error> {
    let store = keeper.store()?;
    let records = store.scopes()?;
    let known = scope_of(root)?;
    if let Some(own) = records.iter().find(|record| Some(&record.scope) == known.as_ref()) {
        // To ask for what is there already is to ask for nothing.
        let is_wanted = wanted == Some(own.scope.as_str());
        return if is_wanted { Ok(own.clone()) } else { Err(Error::HasRecord(own.scope.clone())) };
    }
    let record = match wanted {
        Some(scope) => {
            let found = records.into_iter().find(|record| record.scope == scope);
            found.ok_or_else(|| Error::ScopeNotFound(soul_core::text::visible(scope)))?
        }
        None => candidate(keeper, store, root, records)?,
    };
    if let Some(place) = live_place(store, &record.scope, None)? {
        return Err(Error::InUse { scope: record.scope, place: super::shown(keeper, &place) });
    }
    match known {
        // An id that nothing was recorded under is nobody's.
        Some(_) => replace_workspace_id(root, &record.scope).map_err(souls::Error::WorkspaceId)?,
        None => {
            let id = set_workspace_id(root, &record.scope).map_err(souls::Error::WorkspaceId)?;
            if id != record.scope {
                return Err(Error::Contended);
            }
        }
    }
    let location = here(root)?;
    let event = event(EventKind::WorkspaceAdopt, &record.scope, author);
    for _ in 0..TRIES {
        let known = store.places(&record.scope)?;
        let replaces = known.first().map(|place| place.id);
        let (scope, event) = (record.scope.as_str(), Some(&event));
        let new = NewPlace { scope, location: &location, replaces, known: &known, event, now: keeper.now() };
        if store.bind_place(&new)?.is_some() {
            return Ok(record);
        }
    }
    Err(Error::Contended)
}

/// The record that a workspace has lost: the one that was last at its path, or the only one without a directory that
/// has an agent of it. Of several, the one whose last text is in the file.
fn candidate(keeper: &Keeper, store: &dyn Store, root: &Path, records: Vec<ScopeRecord>) -> Result<ScopeRecord, Error> {
    if let Some(scope) = super::lost_scope(keeper, root)?
        && let Some(record) = records.iter().find(|record| record.scope == scope)
    {
        return Ok(record.clone());
    }
    let names = agent_names(keeper, root)?;
    let mut fitting = Vec::new();
    for record in records {
        let has_agent = record.souls.iter().any(|soul| names.contains(&soul.name));
        if record.revisions > 0 && has_agent && live_place(store, &record.scope, None)?.is_none() {
            fitting.push(record);
        }
    }
    if fitting.len() > 1 {
        let mut exact = Vec::new();
        for record in &fitting {
            if record.souls.iter().any(|soul| is_in_file(keeper, store, soul)) {
                exact.push(record.clone());
            }
        }
        if exact.len() == 1 {
            fitting = exact;
        }
    }
    match fitting.len() {
        0 => Err(Error::NothingToAdopt),
        1 => fitting.pop().ok_or(Error::NothingToAdopt),
        _ => Err(Error::Ambiguous(fitting.into_iter().map(|record| record.scope).collect())),
    }
}

/// Whether the last recorded text of a soul is in the file of the agent of that name.
fn is_in_file(keeper: &Keeper, store: &dyn Store, soul: &SoulKey) -> bool {
    let Some(agent) = soul.name.parse().ok().and_then(|name| keeper.agent(&name).ok()) else { return false };
    let in_file = agent.directory.read(agent.soul_file()).ok().map(|bytes| soul_core::digest::RawDigest::of(&bytes));
    let recorded = store.tail(soul).ok().and_then(|tail| tail.last).and_then(|last| last.sealed.raw_digest);
    recorded.is_some() && recorded == in_file
}
