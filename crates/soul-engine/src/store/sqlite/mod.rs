//! The store in one SQLite file, safe for many processes.

mod checks;
mod connections;
mod error;
mod events;
mod lineage;
mod locks;
mod personas;
mod places;
mod repairs;
mod revisions;
mod schema;
mod seals;
mod sessions;
mod settings;
mod snapshots;
mod tasks;
mod tokens;
mod values;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::persona::State;

use connections::{Connections, Durable};
use error::unknown;

use super::mark::{Mark, Noted, NotedHead};
use super::{
    Action, Adaptation, Among, Binding, Decided, Detail, Draft, Error, Event, EventFilter, Link, Mutation, NewEvent,
    NewFork, NewMutation, NewPlace, NewRepair, NewSession, NewSnapshot, Outcome, Party, Place, PlaceId, Problem,
    Refusal, Repair, Revert, Revision, Run, ScopeRecord, Session, SessionState, Settled, Snapshot, SoulLock, Store,
    Surroundings, Tail, Task, TaskState, Token, in_use,
};
use crate::clock::{Now, Time};
use crate::files;
use crate::ids::{MutationId, RevisionId, RunId, SessionId, SnapshotId, TaskId, TokenId};
use crate::store::revision::Broken;
use crate::workspace::SoulKey;

/// How long to wait for a lock before giving up.
const PATIENCE: Duration = Duration::from_secs(10);

const MISSING: &str = "`keeper.db` is missing or empty";
const OTHER: &str = "`keeper.db` is not the store that was used here";

/// The store in one file.
#[derive(Debug)]
pub struct Sqlite {
    connections: Connections,
    mark: Mark,
    /// The directory that the file is in.
    home: PathBuf,
    /// Shared while the store is open. Restoring a backup needs it alone.
    _in_use: Option<File>,
}

impl Sqlite {
    /// Opens the file. Creates it, and brings its tables to today's version.
    ///
    /// # Errors
    /// When it cannot be opened, is not ours, or is not the store that the mark beside it names.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let in_use = in_use::share(path)?;
        let mark = Mark::beside(path);
        let noted = mark.store_id();
        if noted.is_some() && is_absent(path) {
            return Err(mark.lost(MISSING));
        }
        create_private(path)?;
        let connections = Connections::open(path, |connection| match &noted {
            None => schema::migrate(connection),
            Some(id) => schema::check_id(connection, id, &mark).and_then(|()| schema::migrate(connection)),
        })?;
        let store = Self { connections, mark, home: files::folder_of(path).to_path_buf(), _in_use: in_use };
        if noted.is_none() {
            let noted = Noted::of(&store, store.id()?.unwrap_or_default())?;
            let failed = |error: std::io::Error| Error::ReadOnly(Detail::io(error));
            store.mark.write(&noted, false).map_err(failed)?;
        }
        Ok(store)
    }

    /// Opens the file where nothing can be written, to read what was recorded.
    ///
    /// # Errors
    /// When it cannot be opened, is not ours, or others have not finished writing it.
    pub fn open_to_read(path: &Path) -> Result<Self, Error> {
        let mark = Mark::beside(path);
        let store = Self::open_copy(path)?;
        match mark.store_id() {
            Some(noted) if store.id()?.as_ref() != Some(&noted) => Err(mark.lost(OTHER)),
            _ => Ok(store),
        }
    }

    /// Opens a copy of a store that is nobody's yet, to read it.
    pub(crate) fn open_copy(path: &Path) -> Result<Self, Error> {
        if connections::log_of(path).metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(Error::ReadOnly("its write-ahead log has not been merged".into()));
        }
        let home = files::folder_of(path).to_path_buf();
        Ok(Self { connections: Connections::open_to_read(path)?, mark: Mark::beside(path), home, _in_use: None })
    }

    /// Brings a copy of a store that is nobody's yet to today's version, and returns what a mark says of it.
    pub(crate) fn migrate_copy(path: &Path) -> Result<Noted, Error> {
        let connections = Connections::open(path, schema::migrate)?;
        let home = files::folder_of(path).to_path_buf();
        let store = Self { connections, mark: Mark::beside(path), home, _in_use: None };
        let noted = Noted::of(&store, store.id()?.unwrap_or_default())?;
        drop(store);
        Self::merge_log(path)?;
        Ok(noted)
    }

    /// Merges the log of a store that nobody has open into its file, which is complete afterwards, and has no log
    /// until somebody opens it again.
    pub(crate) fn merge_log(path: &Path) -> Result<(), Error> {
        connections::merge_log(path)
    }

    /// Refuses to go on where the record of a soul ends before what was noted: the next note would cover up that it
    /// was rolled back.
    fn check_head(&self, key: &SoulKey) -> Result<(), Error> {
        let noted = self.mark.head_of(key).map_err(|error| Error::Disk(Detail::io(error)))?;
        match noted {
            Some(NotedHead { seq, chain, .. }) if seq > 0 && self.link(key, seq)? != chain => {
                let how = format!("`keeper.db` lacks revision {seq} of {key}; it was rolled back or changed");
                Err(self.mark.lost(how))
            }
            _ => Ok(()),
        }
    }

    /// Notes where the chain of a soul ends now. The change is made and durable: that its note is lost only means
    /// that the mark is behind.
    fn note_head(&self, key: &SoulKey) {
        if let Ok(Tail { last, .. }) = self.tail(key) {
            let last = last.map(|last| (last.sealed.seq, last.chain));
            let _ = self.mark.note_head(NotedHead::new(key.clone(), last));
        }
    }
}

/// Whether there is nothing that could be a store. The engine never leaves a log beside an empty file, and would
/// remove one that it finds.
fn is_absent(path: &Path) -> bool {
    path.metadata().map_or(true, |metadata| metadata.len() == 0)
}

/// Creates the file so that only its owner can read it.
fn create_private(path: &Path) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(Error::ReadOnly(Detail::io(error))),
        _ => Ok(()),
    }
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

impl Store for Sqlite {
    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
        locks::acquire(&self.home, key, until)
    }

    fn append_revision(&self, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Option<Revision>, Error> {
        self.check_head(&draft.key)?;
        let revision =
            self.connections.write(Durable::Now, |transaction| revisions::append(transaction, draft, snapshot))?;
        if revision.is_some() && draft.action == Action::Adopt {
            self.note_head(&draft.key);
        }
        Ok(revision)
    }

    fn settle_revision(&self, revision: &Revision, settled: Settled, now: Time) -> Result<bool, Error> {
        let done = self
            .connections
            .write(Durable::Soon, |transaction| revisions::settle(transaction, revision, settled, now))?;
        self.note_head(&revision.sealed.key());
        Ok(done)
    }

    fn tail(&self, key: &SoulKey) -> Result<Tail, Error> {
        self.connections.read(|connection| revisions::tail(connection, key))
    }

    fn pinned_dialect(&self, key: &SoulKey) -> Result<Option<Dialect>, Error> {
        self.connections.read(|connection| revisions::pinned_dialect(connection, key))
    }

    fn revision(&self, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error> {
        self.connections.read(|connection| revisions::find(connection, key, id))
    }

    fn repeated_revision(&self, key: &SoulKey, idempotency_key: &str) -> Result<Option<Revision>, Error> {
        self.connections.read(|connection| revisions::repeated(connection, key, idempotency_key))
    }

    fn history(&self, key: &SoulKey, before: Option<i64>, limit: usize, bodies: bool) -> Result<Vec<Revision>, Error> {
        self.connections.read(|connection| revisions::history(connection, key, before, limit, bodies))
    }

    fn beginning_with(&self, among: Among<'_>, start: &str, limit: usize) -> Result<Vec<String>, Error> {
        self.connections.read(|connection| revisions::beginning_with(connection, among, start, limit))
    }

    fn souls(&self) -> Result<Vec<SoulKey>, Error> {
        self.connections.read(revisions::souls)
    }

    fn chain(&self, key: &SoulKey, after: i64, limit: usize) -> Result<Vec<Result<Revision, Broken>>, Error> {
        self.connections.read(|connection| revisions::chain(connection, key, after, limit))
    }

    fn link(&self, key: &SoulKey, seq: i64) -> Result<Option<Digest>, Error> {
        self.connections.read(|connection| revisions::link(connection, key, seq))
    }

    fn forked_from(&self, key: &SoulKey) -> Result<Option<(String, Link)>, Error> {
        self.connections.read(|connection| lineage::forked_from(connection, key))
    }

    fn repairs(&self, key: &SoulKey) -> Result<Vec<Repair>, Error> {
        self.connections.read(|connection| repairs::find(connection, key))
    }

    fn dropped_revisions(&self, key: &SoulKey) -> Result<Vec<RevisionId>, Error> {
        self.connections.read(|connection| repairs::dropped(connection, key))
    }

    fn repair(&self, repair: &NewRepair) -> Result<(), Error> {
        self.connections.write(Durable::Now, |transaction| repairs::accept(transaction, repair))
    }

    fn places(&self, scope: &str) -> Result<Vec<Place>, Error> {
        self.connections.read(|connection| places::of_scope(connection, scope))
    }

    fn places_at(&self, path: &Path) -> Result<Vec<Place>, Error> {
        self.connections.read(|connection| places::at(connection, path))
    }

    fn pending_place(&self, id: &RevisionId) -> Result<Option<Place>, Error> {
        self.connections.read(|connection| places::of_pending(connection, id))
    }

    fn bind_place(&self, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error> {
        self.connections.write(Durable::Soon, |transaction| places::bind(transaction, new))
    }

    fn fork_scope(&self, fork: &NewFork<'_>) -> Result<usize, Error> {
        self.connections.write(Durable::Now, |transaction| places::fork(transaction, fork))
    }

    fn scopes(&self) -> Result<Vec<ScopeRecord>, Error> {
        self.connections.read(places::scopes)
    }

    fn snapshot(&self, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
        self.connections.read(|connection| snapshots::find(connection, id))
    }

    fn snapshot_ids(&self, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error> {
        self.connections.read(|connection| snapshots::ids(connection, after, limit))
    }

    fn start_session(&self, session: &NewSession, binding: &Binding) -> Result<Session, Error> {
        self.connections.write(Durable::Soon, |transaction| sessions::start(transaction, session, binding))
    }

    fn refresh_session(
        &self,
        id: &SessionId,
        expected: Option<&str>,
        binding: &Binding,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Session> {
        self.connections.decide(|transaction| sessions::refresh(transaction, id, expected, binding, actor, origin, now))
    }

    fn set_session_state(
        &self,
        id: &SessionId,
        state: SessionState,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Session> {
        self.connections.decide(|transaction| sessions::set_state(transaction, id, state, actor, origin, now))
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        self.connections.read(|connection| sessions::find(connection, id))
    }

    fn surroundings(&self, id: &SessionId) -> Result<Option<Surroundings>, Error> {
        self.connections.read(|connection| sessions::surroundings(connection, id))
    }

    fn sessions(
        &self,
        agent: Option<&str>,
        state: Option<SessionState>,
        before: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Session>, Error> {
        self.connections.read(|connection| sessions::list(connection, agent, state, before, limit))
    }

    fn live_run(&self, session: &SessionId, now: Now) -> Result<Option<RunId>, Error> {
        self.connections.read(|connection| sessions::live_run(connection, session, now))
    }

    fn add_task(&self, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.connections.write(Durable::Soon, |transaction| tasks::add(transaction, task, actor, origin))
    }

    fn claim_run(
        &self,
        session: &SessionId,
        lease: Duration,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Option<Run>> {
        self.connections.decide(|transaction| tasks::claim(transaction, session, lease, actor, origin, now))
    }

    fn renew_run(&self, id: &RunId, lease: Duration, actor: &Party, origin: &Party, now: Now) -> Decided<Run> {
        self.connections.decide(|transaction| tasks::renew(transaction, id, lease, actor, origin, now))
    }

    fn finish_run(&self, id: &RunId, outcome: Outcome, actor: &Party, origin: &Party, now: Now) -> Decided<Run> {
        self.connections.decide(|transaction| tasks::finish(transaction, id, outcome, actor, origin, now))
    }

    fn tasks(
        &self,
        state: Option<TaskState>,
        after: Option<&TaskId>,
        limit: usize,
    ) -> Result<Option<Vec<Task>>, Error> {
        self.connections.read(|connection| tasks::list(connection, state, after, limit))
    }

    fn selected_soul(&self) -> Result<Option<String>, Error> {
        self.connections.read(settings::selected)
    }

    fn select_soul(&self, id: Option<&str>, actor: &Party, origin: &Party, now: Time) -> Result<(), Error> {
        self.connections.write(Durable::Now, |transaction| settings::select(transaction, id, actor, origin, now))
    }

    fn add_token(&self, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.connections.write(Durable::Now, |transaction| tokens::add(transaction, token, proof, actor, origin))
    }

    fn token(&self, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error> {
        self.connections.read(|connection| tokens::find(connection, id))
    }

    fn tokens(&self) -> Result<Vec<Token>, Error> {
        self.connections.read(tokens::list)
    }

    fn revoke_token(&self, id: &TokenId, actor: &Party, origin: &Party, now: Time) -> Result<Option<Token>, Error> {
        self.connections.write(Durable::Now, |transaction| tokens::revoke(transaction, id, actor, origin, now))
    }

    fn persona(&self, key: &SoulKey) -> Result<State, Error> {
        self.connections.read(|connection| personas::find(connection, key))
    }

    fn adapt_persona(&self, new: &NewMutation) -> Result<Adaptation, Error> {
        self.connections.write(Durable::Now, |transaction| personas::adapt(transaction, new))
    }

    fn mutations(&self, key: &SoulKey, before: Option<i64>, limit: usize) -> Result<Vec<Mutation>, Error> {
        self.connections.read(|connection| personas::mutations(connection, key, before, limit))
    }

    fn revert_persona(&self, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error> {
        self.connections.write(Durable::Now, |transaction| personas::revert(transaction, revert))
    }

    fn change_persona(
        &self,
        key: &SoulKey,
        event: &NewEvent,
        now: Time,
        change: &mut dyn FnMut(&mut State),
    ) -> Result<State, Error> {
        self.connections.write(Durable::Soon, |transaction| personas::change(transaction, key, event, now, change))
    }

    fn append_event(&self, event: &NewEvent, now: Time) -> Result<(), Error> {
        self.connections.write(Durable::Soon, |transaction| events::append(transaction, event, now))
    }

    fn events(&self, filter: &EventFilter, after: i64, limit: usize) -> Result<Vec<Event>, Error> {
        self.connections.read(|connection| events::list(connection, filter, after, limit))
    }

    fn event_before_last(&self, filter: &EventFilter, count: usize) -> Result<i64, Error> {
        self.connections.read(|connection| events::before_last(connection, filter, count))
    }

    fn id(&self) -> Result<Option<String>, Error> {
        self.connections.read(settings::store_id)
    }

    fn version(&self, window: usize) -> Result<i64, Error> {
        self.connections.version(window)
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        self.connections.read(checks::database)
    }

    fn problems(&self) -> Result<Vec<Problem>, Error> {
        self.connections.read(checks::rows)
    }

    fn copy_to(&self, file: &Path) -> Result<(), Error> {
        self.connections.read(|connection| checks::copy(connection, file))
    }
}
