//! Edits of souls that were made without the keeper: noticed, and reported once as an event. They are recorded as
//! revisions by the next operation that changes the soul.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use soul_core::digest::RawDigest;

use crate::Keeper;
use crate::authoring::{OUTSIDE, Subject};
use crate::files;
use crate::files::listing::Stamp;
use crate::files::watch::Watch;
use crate::library::Freshness;
use crate::library::member::{Member, key};
use crate::souls::{Chosen, Text};
use crate::store::{EventDetail, EventFilter, EventKind, NewEvent, Party, Store, Tail};
use crate::workspace::{Agent, AgentName, SoulId, SoulKey};

/// What was seen of the files of agents and of the library.
#[derive(Debug, Default)]
pub struct Outside {
    agents: HashMap<AgentName, Seen>,
    library: Library,
    /// Whether everything was looked at once.
    is_settled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// What was seen of the library. It may have thousands of files, so its folder is watched where the system can do that.
#[derive(Debug, Default)]
struct Library {
    seen: BTreeMap<String, Stamp>,
    watch: Option<(PathBuf, Watch, Instant)>,
}

impl Outside {
    /// Looks at the files of all agents and of the library, and adds an event for each that was edited since the last
    /// look and is not on record. What cannot be read now is looked at again.
    pub fn look(&mut self, keeper: &Keeper) {
        // Files that are copies of the database are nobody's to edit.
        if keeper.keeps_souls_in_database() {
            return;
        }
        self.look_at_agents(keeper);
        self.library.look(keeper, self.is_settled);
        self.is_settled = true;
    }

    fn look_at_agents(&mut self, keeper: &Keeper) {
        let Ok(names) = keeper.roots.agent_names(&keeper.settings.discovery) else { return };
        self.agents.retain(|name, _| names.binary_search(name).is_ok());
        for name in names {
            let Ok(agent) = keeper.agent(&name) else { continue };
            let path = agent.path.join(agent.soul_file());
            let stamp = path.symlink_metadata().ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()));
            // A file that is being written is looked at when it is complete.
            if stamp.is_some_and(|stamp| !stamp.settled) {
                continue;
            }
            let seen = Seen { path, stamp };
            if self.agents.get(&name) == Some(&seen) {
                continue;
            }
            let is_new = self.is_settled || self.agents.contains_key(&name);
            if report_agent(keeper, &agent, is_new).is_some() {
                self.agents.insert(name, seen);
            }
        }
    }
}

impl Library {
    /// How long silence is believed: the system does not report what other machines do on a shared disk. It is less than
    /// the library believes it, so that requests to a service find a listing that was just made.
    const BELIEVED: Duration = Duration::from_secs(4);

    fn look(&mut self, keeper: &Keeper, is_settled: bool) {
        let Ok(path) = keeper.library_path() else { return };
        if let Some((watched, watch, at)) = &self.watch
            && *watched == path
            && at.elapsed() < Self::BELIEVED
            && watch.is_quiet()
        {
            return;
        }
        // Before the files are looked at, so that nothing falls in between.
        let watch = Watch::of([&path]).map(|watch| (path, watch, Instant::now()));
        let Ok(index) = keeper.library_as_of(Freshness::Now) else { return };
        let now: BTreeMap<String, Stamp> = index.stamps().map(|(file, stamp)| (file.to_owned(), stamp)).collect();
        let is_complete = now.values().all(|stamp| stamp.settled);
        let gone = self.seen.keys().filter(|file| !now.contains_key(*file)).map(|file| (file, None));
        let changed = now.iter().filter(|(file, stamp)| stamp.settled && self.seen.get(*file) != Some(*stamp));
        let changed = changed.map(|(file, stamp)| (file, Some(*stamp)));
        let reported: Vec<(String, Option<Stamp>)> = gone
            .chain(changed)
            .filter(|(file, _)| report_library(keeper, file, is_settled).is_some())
            .map(|(file, stamp)| (file.clone(), stamp))
            .collect();
        for (file, stamp) in reported {
            match stamp {
                Some(stamp) => self.seen.insert(file, stamp),
                None => self.seen.remove(&file),
            };
        }
        // A file that is being written, or could not be read, is looked at again at the next look.
        self.watch = watch.filter(|_| is_complete && self.seen.len() == now.len());
    }
}

fn report_agent(keeper: &Keeper, agent: &Agent, is_new: bool) -> Option<()> {
    report(keeper, agent, agent.known_key().ok()?, is_new, || keeper.chosen_dialect(agent).ok())
}

fn report_library(keeper: &Keeper, file: &str, is_new: bool) -> Option<()> {
    // What is not named like a soul is never on record.
    let Some(id) = SoulId::of_file(file) else { return Some(()) };
    let key = key(keeper, &id);
    // Most souls of a library were never recorded, and are not read for it.
    let store = keeper.existing_store().ok()?;
    if !is_new && store.map_or(Ok(true), |store| store.tail(&key).map(|tail| tail.last.is_none())).ok()? {
        return Some(());
    }
    let member = Member::open(keeper, id).ok()??;
    report(keeper, &member, Some(key), is_new, || Some(member.chosen(keeper, None)))
}

/// Reports an edit that is not on record; `None` if that cannot be decided now. A soul that was never recorded is reported
/// only if it has changed while we looked.
fn report(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: Option<SoulKey>,
    is_new: bool,
    chosen: impl FnOnce() -> Option<Option<Chosen>>,
) -> Option<()> {
    let file = subject.file();
    let bytes = match subject.directory().read(&file) {
        Ok(bytes) => Some(bytes),
        Err(files::Error::NotFound) => None,
        Err(_) => return Some(()),
    };
    let found = bytes.as_deref().map(RawDigest::of);
    let store = keeper.existing_store().ok()?;
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
    if is_reported(store, &key, found)? {
        return Some(());
    }
    let text = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
    let soul = subject.resolve(keeper, chosen()?, text);
    let (actor, origin) = (Party::new(OUTSIDE, ""), Party::new("keeper", "watch"));
    let event = NewEvent {
        digest: soul.digest.filter(|_| bytes.is_some()),
        detail: EventDetail { raw_digest: found, ..EventDetail::default() },
        ..NewEvent::for_soul(EventKind::Edited, &key, &actor, &origin)
    };
    store.append_event(&event, keeper.now()).ok()
}

/// How many events are searched for the last one of a library soul, by whose name they cannot be filtered.
const SEARCHED: usize = 500;

/// Whether the last thing that happened to the soul is this edit.
fn is_reported(store: &dyn Store, key: &SoulKey, found: Option<RawDigest>) -> Option<bool> {
    let probe = NewEvent::for_soul(EventKind::Edited, key, &Party::new("", ""), &Party::new("", ""));
    let filter = EventFilter { agent: probe.agent.clone(), kind: Some("soul".to_owned()), ..EventFilter::default() };
    let limit = if probe.agent.is_some() { 1 } else { SEARCHED };
    let before = store.event_before_last(&filter, limit).ok()?;
    let events = store.events(&filter, before, limit).ok()?;
    let is_of_it = |event: &NewEvent| event.agent == probe.agent && event.soul == probe.soul;
    let last = events.into_iter().rev().map(|event| event.event).find(is_of_it);
    Some(last.is_some_and(|event| {
        event.kind == EventKind::Edited && event.scope == probe.scope && event.detail.raw_digest == found
    }))
}
