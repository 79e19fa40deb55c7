//! Which directories may change the record of a workspace.
//!
//! A copy of a workspace, such as a clone or a worktree of its repository, brings `.soul/id` along, and with it the
//! record. So the first change binds the record to its directory; a change from another one is refused while the
//! first is still there, until a person decides whether both share the record or the copy goes on with its own.

mod connect;
mod error;

use std::path::Path;

pub(crate) use connect::{Forked, adopt, fork, share};
pub use error::Error;

use crate::Keeper;
use crate::files;
use crate::souls;
use crate::store::{EventKind, NewEvent, NewPlace, Party, Place, PlaceId, ScopeRecord, Store};
use crate::workspace::id::{set_workspace_id, workspace_id};
use crate::workspace::{Agent, Location, Presence, SoulKey};

/// How often a binding is tried again because others bind the same scope.
const TRIES: usize = 8;

/// A soul, and the place from which its record is changed, if it is of a workspace.
pub(crate) struct Claim {
    pub(crate) key: SoulKey,
    pub(crate) place: Option<PlaceId>,
    /// Whether the workspace had lost its id, and was given it back.
    pub(crate) reconnected: bool,
}

/// The key of an agent for a change, from a directory that may make it.
pub(crate) fn claim(keeper: &Keeper, agent: &Agent) -> Result<Claim, Error> {
    let had_id = agent.known_key().map_err(souls::Error::WorkspaceId)?.is_some();
    let key = key(keeper, agent)?;
    let place = match agent.workspace().filter(|_| !SoulKey::is_home(&key.scope)) {
        Some(root) => Some(bind(keeper, root, &key.scope)?),
        None => None,
    };
    // An id that is new names no record yet.
    let reconnected = !had_id && keeper.store()?.tail(&key)?.last.is_some();
    Ok(Claim { key, place, reconnected })
}

/// The key of an agent. A workspace that has no id is given one: its own, if it has lost that and the record of this
/// directory is known.
pub(crate) fn key(keeper: &Keeper, agent: &Agent) -> Result<SoulKey, Error> {
    if let Some(key) = agent.known_key().map_err(souls::Error::WorkspaceId)? {
        return Ok(key);
    }
    if let Some(root) = agent.workspace().filter(|_| !agent.read_only)
        && let Some(scope) = lost_scope(keeper, root)?
    {
        set_workspace_id(root, &scope).map_err(souls::Error::WorkspaceId)?;
        let (actor, origin) = (Party::new("system", "soul"), Party::new("system", "workspace.adopt"));
        let event = NewEvent { scope: Some(scope), ..NewEvent::new(EventKind::WorkspaceAdopt, &actor, &origin) };
        keeper.store()?.append_event(&event, keeper.now())?;
    }
    Ok(agent.key().map_err(souls::Error::WorkspaceId)?)
}

/// The record that a workspace without an id had when it was last at this path, and that nobody else uses. A record
/// of other agents is that of another project that was here before.
pub(crate) fn lost_scope(keeper: &Keeper, root: &Path) -> Result<Option<String>, Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(None) };
    let Ok(path) = root.canonicalize() else { return Ok(None) };
    let mut scopes: Vec<String> = store.places_at(&path)?.into_iter().map(|place| place.scope).collect();
    scopes.sort();
    scopes.dedup();
    let names = agent_names(keeper, root)?;
    let mut lost = Vec::new();
    for scope in scopes {
        let has_agent = |record: &ScopeRecord| record.souls.iter().any(|soul| names.contains(&soul.name));
        let is_ours = store.scopes()?.iter().any(|record| record.scope == scope && has_agent(record));
        if is_ours && live_place(store, &scope, None)?.is_none() {
            lost.push(scope);
        }
    }
    match lost.len() {
        0 | 1 => Ok(lost.pop()),
        _ => Err(Error::Ambiguous(lost)),
    }
}

/// The names of the agents in a workspace itself.
fn agent_names(keeper: &Keeper, root: &Path) -> Result<Vec<String>, Error> {
    let roots = crate::workspace::Roots { workspace: Some(root.to_path_buf()), home: None, user: None };
    let discovery = crate::settings::Discovery { roots: Vec::new(), ..keeper.settings.discovery.clone() };
    let names = roots.agent_names(&discovery);
    let names = names.map_err(|(path, error)| souls::Error::Unlistable(keeper.roots.shown(&path), error))?;
    Ok(names.iter().map(|name| name.as_str().to_owned()).collect())
}

/// A place of a scope that is still there, or that cannot be told to be gone; not the one that is excepted.
pub(crate) fn live_place(
    store: &dyn Store,
    scope: &str,
    except: Option<PlaceId>,
) -> Result<Option<Place>, crate::store::Error> {
    let places = store.places(scope)?.into_iter();
    let mut others = places.filter(|place| Some(place.id) != except);
    Ok(others.find(|place| place.location.presence(scope) != Presence::Gone))
}

/// What a directory is to the places of its scope.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    /// It is this place, and is where that was.
    Known(PlaceId),
    /// It takes this place over: the same directory elsewhere or made anew, or one that is gone.
    Moved(PlaceId),
    /// The scope has no place yet.
    First,
    /// It is a copy of this place, which is still there.
    Copy(Box<Place>),
}

fn standing(places: &[Place], here: &Location, scope: &str) -> Standing {
    if let Some(place) = places.iter().find(|place| place.location == *here) {
        return Standing::Known(place.id);
    }
    // Inodes are used again: the directory that a place was may have been made anew at its path, and a copy may have
    // got the old inode.
    let is_moved = |place: &&Place| place.location.has_identity_of(here) && !place.location.is_replaced();
    let same = places.iter().find(is_moved).or_else(|| places.iter().find(|place| place.location.has_path_of(here)));
    let gone = || places.iter().find(|place| place.location.presence(scope) == Presence::Gone);
    match (same.or_else(gone), places.first()) {
        (Some(place), _) => Standing::Moved(place.id),
        (None, None) => Standing::First,
        (None, Some(other)) => Standing::Copy(Box::new(other.clone())),
    }
}

/// The place of a workspace, for a change.
fn bind(keeper: &Keeper, root: &Path, scope: &str) -> Result<PlaceId, Error> {
    let store = keeper.store()?;
    let here = Location::of(root).map_err(souls::Error::WorkspaceId)?;
    for _ in 0..TRIES {
        let known = store.places(scope)?;
        let replaces = match standing(&known, &here, scope) {
            Standing::Known(place) => return Ok(place),
            Standing::Copy(other) => return Err(Error::Copied(shown(keeper, &other))),
            Standing::Moved(place) => Some(place),
            Standing::First => None,
        };
        let new = NewPlace { scope, location: &here, replaces, known: &known, event: None, now: keeper.now() };
        if let Some(place) = store.bind_place(&new)? {
            return Ok(place);
        }
    }
    Err(Error::Contended)
}

/// The place that an agent's workspace is known as, for readers.
pub(crate) fn known_place(
    store: &dyn Store,
    agent: &Agent,
    scope: &str,
) -> Result<Option<PlaceId>, crate::store::Error> {
    let Some(Ok(here)) = agent.workspace().map(Location::of) else { return Ok(None) };
    Ok(match standing(&store.places(scope)?, &here, scope) {
        Standing::Known(place) | Standing::Moved(place) => Some(place),
        Standing::First | Standing::Copy(_) => None,
    })
}

/// How this workspace stands to its record.
pub(crate) enum Status {
    /// It has no id, and nothing is known of it.
    Unrecorded,
    /// It has lost its id; this is the record that the next change reconnects it with.
    Lost(String),
    /// It may change its record.
    Bound,
    /// It is a copy of this place, as that is shown.
    Copy(String),
}

/// How a workspace stands to its record. Changes nothing.
pub(crate) fn status(keeper: &Keeper, root: &Path) -> Result<Status, Error> {
    let Some(scope) = workspace_id(root).map_err(souls::Error::WorkspaceId)? else {
        return Ok(lost_scope(keeper, root)?.map_or(Status::Unrecorded, Status::Lost));
    };
    let Some(store) = keeper.existing_store()? else { return Ok(Status::Bound) };
    let here = Location::of(root).map_err(souls::Error::WorkspaceId)?;
    Ok(match standing(&store.places(&scope)?, &here, &scope) {
        Standing::Copy(other) => Status::Copy(shown(keeper, &other)),
        Standing::Known(_) | Standing::Moved(_) | Standing::First => Status::Bound,
    })
}

/// A place as users see it: this workspace is `.`.
pub(crate) fn shown(keeper: &Keeper, place: &Place) -> String {
    let path = &place.location.path;
    let is_here = keeper.roots.workspace.as_deref().is_some_and(|root| files::is_same(root, path));
    if is_here { ".".to_owned() } else { keeper.roots.shown(path) }
}
