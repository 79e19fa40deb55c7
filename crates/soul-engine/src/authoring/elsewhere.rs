//! A change that was interrupted in another directory of the same record.

use std::time::Duration;

use soul_core::digest::RawDigest;

use super::{Error, FilePlace, Place, lock};
use crate::Keeper;
use crate::files;
use crate::places;
use crate::settings::Discovery;
use crate::store::{self, PlaceId, Revision, Settled, Store};
use crate::workspace::{Agent, AgentName, Presence, Roots};

/// How a pending revision ends.
pub(super) enum Ending {
    /// It was made here: the file tells.
    Here,
    /// It was made in another directory, which tells this.
    There(Settled),
    /// Its maker has ended it.
    Over,
}

/// How often to look whether another home has ended its change.
const GLANCE: Duration = Duration::from_millis(20);

/// How a pending revision of another place than this one ends. It happened if its text is in the file there. If that
/// directory is gone, the revision stays on record, so that its text is not lost. About a directory of another home
/// nothing is decided here: that home is waited for while its lease lasts. Only the holder of the soul's lock may call
/// this.
pub(super) fn settled_elsewhere(
    keeper: &Keeper,
    store: &dyn Store,
    here: Option<PlaceId>,
    pending: &Revision,
) -> Result<Ending, Error> {
    let Some(place) = store.pending_place(&pending.sealed.id)? else { return Ok(Ending::Here) };
    if Some(place.id) == here {
        return Ok(Ending::Here);
    }
    let unreadable = || {
        let (agent, place) = (pending.sealed.agent.clone(), places::shown(keeper, &place));
        Error::Place(places::Error::Unreadable { agent, place })
    };
    if place.location.is_elsewhere {
        return if is_ended_by_another_home(keeper, store, pending)? { Ok(Ending::Over) } else { Err(unreadable()) };
    }
    let scope = &pending.sealed.scope;
    let presence = if place.scope == *scope { place.location.presence(scope) } else { Presence::Gone };
    match presence {
        Presence::Gone => return Ok(Ending::There(Settled::Done)),
        Presence::Unreadable => return Err(unreadable()),
        Presence::Here => {}
    }
    let Some(agent) = agent_in(keeper, &place, pending).map_err(|_| unreadable())? else {
        return Ok(Ending::There(Settled::Done));
    };
    // Nobody with another store changes it while we look.
    let _lock = lock::directory(&agent, None)?.ok_or_else(unreadable)?;
    // What an interrupted exchange has left there is for the next change there to look at.
    let found = FilePlace::new(keeper, &agent).read().map_err(|_| unreadable())?.as_deref().map(RawDigest::of);
    Ok(Ending::There(if found == pending.sealed.raw_digest { Settled::Done } else { Settled::Dropped }))
}

/// Waits for another home to end its change, for as long as it has reserved for that.
fn is_ended_by_another_home(keeper: &Keeper, store: &dyn Store, pending: &Revision) -> Result<bool, Error> {
    let id = &pending.sealed.id;
    loop {
        // What is settled no longer has a place.
        let Some(until) = store.pending_until(id)? else { return Ok(true) };
        if keeper.now() > until {
            return Ok(false);
        }
        std::thread::sleep(GLANCE);
    }
}

/// The agent that a revision is about, in another place.
fn agent_in(keeper: &Keeper, place: &store::Place, revision: &Revision) -> Result<Option<Agent>, files::Error> {
    let Ok(name) = revision.sealed.agent.parse::<AgentName>() else { return Ok(None) };
    let roots = Roots { workspace: Some(place.location.path.clone()), home: None, user: None };
    let discovery = Discovery { roots: Vec::new(), ..keeper.settings.discovery.clone() };
    roots.find_agent(&discovery, &name)
}
