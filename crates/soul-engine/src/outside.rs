//! Edits of souls that were made without the keeper: noticed, and told once as an event. They are recorded as revisions
//! by the next operation that changes the soul.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::SystemTime;

use soul_core::digest::RawDigest;

use crate::Keeper;
use crate::authoring::{OUTSIDE, Subject};
use crate::files;
use crate::files::listing::Stamp;
use crate::souls::Text;
use crate::store::{EventDetail, EventFilter, EventKind, NewEvent, Party, Store, Tail};
use crate::workspace::{Agent, AgentName, SoulKey};

/// What was seen of the files of agents.
#[derive(Debug, Default)]
pub struct Outside {
    seen: HashMap<AgentName, Seen>,
    /// Whether everything was looked at once.
    is_settled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    path: PathBuf,
    stamp: Option<Stamp>,
}

impl Outside {
    /// Looks at the files of all agents, and adds an event for each that was edited since the last look and is not on
    /// record. What cannot be read now is looked at again.
    pub fn look(&mut self, keeper: &Keeper) {
        // Files that are copies of the database are nobody's to edit.
        let Ok(names) = keeper.roots.agent_names(&keeper.settings.discovery) else { return };
        if keeper.keeps_souls_in_database() {
            return;
        }
        self.seen.retain(|name, _| names.binary_search(name).is_ok());
        for name in names {
            let Ok(agent) = keeper.agent(&name) else { continue };
            let path = agent.path.join(agent.soul_file());
            let stamp = path.symlink_metadata().ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()));
            // Whoever is still writing is waited for.
            if stamp.is_some_and(|stamp| !stamp.settled) {
                continue;
            }
            let seen = Seen { path, stamp };
            if self.seen.get(&name) == Some(&seen) {
                continue;
            }
            let is_new = self.is_settled || self.seen.contains_key(&name);
            if tell(keeper, &agent, is_new).is_some() {
                self.seen.insert(name, seen);
            }
        }
        self.is_settled = true;
    }
}

/// Tells of an edit that is not on record; `None` if that cannot be decided now. A soul that was never recorded is told of
/// only if it has changed while we looked.
fn tell(keeper: &Keeper, agent: &Agent, is_new: bool) -> Option<()> {
    let bytes = match agent.directory.read(agent.soul_file()) {
        Ok(bytes) => Some(bytes),
        Err(files::Error::NotFound) => None,
        Err(_) => return Some(()),
    };
    let found = bytes.as_deref().map(RawDigest::of);
    let (key, store) = (agent.known_key().ok()?, keeper.existing_store().ok()?);
    // After the file was read: the record of a change comes before the file.
    let tail = match (&key, store) {
        (Some(key), Some(store)) => store.tail(key).ok()?,
        _ => Tail::default(),
    };
    if tail.pending.is_some() {
        return None;
    }
    let is_outside = match &tail.last {
        Some(last) => last.sealed.raw_digest != found,
        None => is_new && found.is_some(),
    };
    let (true, Some(key), Some(store)) = (is_outside, key, store) else { return Some(()) };
    if told(store, &key, found)? {
        return Some(());
    }
    let chosen = keeper.chosen_dialect(agent).ok()?;
    let file = agent.soul_file();
    let text = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
    let soul = agent.resolve(keeper, chosen, text);
    let (actor, origin) = (Party::new(OUTSIDE, ""), Party::new("keeper", "watch"));
    let event = NewEvent {
        digest: soul.digest.filter(|_| bytes.is_some()),
        detail: EventDetail { raw_digest: found, ..EventDetail::default() },
        ..NewEvent::for_soul(EventKind::Edited, &key, &actor, &origin)
    };
    store.append_event(&event, keeper.now()).ok()
}

/// Whether the last thing that happened to the soul is this edit.
fn told(store: &dyn Store, key: &SoulKey, found: Option<RawDigest>) -> Option<bool> {
    let filter = EventFilter { agent: Some(key.name.clone()), kind: Some("soul".to_owned()), ..EventFilter::default() };
    let before = store.event_before_last(&filter, 1).ok()?;
    let last = store.events(&filter, before, 1).ok()?.pop();
    Some(last.is_some_and(|last| {
        let event = last.event;
        event.kind == EventKind::Edited && event.scope.as_ref() == Some(&key.scope) && event.detail.raw_digest == found
    }))
}
