//! The store in one SQLite file, safe for many processes.

mod error;
mod events;
mod lineage;
mod locks;
mod personas;
mod places;
mod repairs;
mod revisions;
mod schema;
mod sessions;
mod settings;
mod snapshots;
mod tasks;
mod tokens;
mod values;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use soul_core::digest::RawDigest;
use soul_core::model::Dialect;
use soul_core::persona::State;

use error::{Abort, unknown};

use super::{
    Adaptation, Binding, Decided, Draft, Error, Event, Link, Mutation, NewEvent, NewFork, NewMutation, NewPlace,
    NewRepair, NewSession, NewSnapshot, Outcome, Party, Place, PlaceId, Refusal, Repair, Revert, Revision, Run,
    ScopeRecord, Session, SessionState, Settled, Snapshot, SoulLock, Store, Surroundings, Tail, Task, TaskState, Token,
};
use crate::clock::Time;
use crate::files;
use crate::ids::{MutationId, RevisionId, RunId, SessionId, SnapshotId, TaskId, TokenId};
use crate::store::revision::Broken;
use crate::workspace::SoulKey;

/// How long to wait for a lock before giving up.
const PATIENCE: Duration = Duration::from_secs(10);

/// The store in one file. One connection, used by one thread at a time.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<Connection>,
    /// The directory that the file is in.
    home: PathBuf,
}

/// Whether a commit must be on the disk when the call returns. One that need not survives a crash of the
/// process all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durable {
    Now,
    Soon,
}

impl Sqlite {
    /// Opens the file. Creates it, and brings its tables to today's version.
    ///
    /// # Errors
    /// When it cannot be opened, or is not ours.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        create_private(path)?;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        schema::migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection), home: files::folder_of(path).to_path_buf() })
    }

    /// Opens the file where nothing can be written, to read what was recorded.
    ///
    /// # Errors
    /// When it cannot be opened, is not ours, or others have not finished writing it.
    pub fn open_to_read(path: &Path) -> Result<Self, Error> {
        let log = path.with_extension("db-wal");
        if log.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(Error::ReadOnly("its write-ahead log has not been merged".to_owned()));
        }
        let text = path.to_str().ok_or_else(|| Error::ReadOnly("its path is not text".to_owned()))?;
        let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
        schema::view(&connection)?;
        Ok(Self { connection: Mutex::new(connection), home: files::folder_of(path).to_path_buf() })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic in between has rolled its transaction back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a transaction. An error rolls it back.
    fn write<T, E: From<rusqlite::Error>>(
        &self,
        durable: Durable,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection();
        if durable == Durable::Now {
            connection.pragma_update(None, "synchronous", "FULL")?;
        }
        let result = transact(&mut connection, work);
        if durable == Durable::Now {
            connection.pragma_update(None, "synchronous", "NORMAL")?;
        }
        result
    }

    /// Runs a transaction that may refuse. A refusal rolls it back, too.
    fn decide<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Abort>) -> Decided<T> {
        match self.write(Durable::Soon, work) {
            Ok(value) => Ok(Ok(value)),
            Err(Abort::Refused(refusal)) => Ok(Err(refusal)),
            Err(Abort::Failed(error)) => Err(error),
        }
    }
}

/// Creates the file so that only its owner can read it.
fn create_private(path: &Path) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(Error::ReadOnly(crate::files::plain(&error)))
        }
        _ => Ok(()),
    }
}

fn transact<T, E: From<rusqlite::Error>>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

impl Store for Sqlite {
    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
        locks::acquire(&self.home, key, until)
    }

    fn append_revision(&self, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Option<Revision>, Error> {
        self.write(Durable::Now, |transaction| revisions::append(transaction, draft, snapshot))
    }

    fn settle_revision(&self, revision: &Revision, settled: Settled, now: Time) -> Result<bool, Error> {
        self.write(Durable::Soon, |transaction| revisions::settle(transaction, revision, settled, now))
    }

    fn tail(&self, key: &SoulKey) -> Result<Tail, Error> {
        revisions::tail(&self.connection(), key)
    }

    fn pinned_dialect(&self, key: &SoulKey) -> Result<Option<Dialect>, Error> {
        revisions::pinned_dialect(&self.connection(), key)
    }

    fn revision(&self, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error> {
        revisions::find(&self.connection(), key, id)
    }

    fn repeated_revision(&self, key: &SoulKey, idempotency_key: &str) -> Result<Option<Revision>, Error> {
        revisions::repeated(&self.connection(), key, idempotency_key)
    }

    fn history(&self, key: &SoulKey, before: Option<i64>, limit: usize, bodies: bool) -> Result<Vec<Revision>, Error> {
        revisions::history(&self.connection(), key, before, limit, bodies)
    }

    fn souls(&self) -> Result<Vec<SoulKey>, Error> {
        revisions::souls(&self.connection())
    }

    fn chain(&self, key: &SoulKey, after: i64, limit: usize) -> Result<Vec<Result<Revision, Broken>>, Error> {
        revisions::chain(&self.connection(), key, after, limit)
    }

    fn forked_from(&self, key: &SoulKey) -> Result<Option<(String, Link)>, Error> {
        lineage::forked_from(&self.connection(), key)
    }

    fn repairs(&self, key: &SoulKey) -> Result<Vec<Repair>, Error> {
        repairs::find(&self.connection(), key)
    }

    fn dropped_revisions(&self, key: &SoulKey) -> Result<Vec<RevisionId>, Error> {
        repairs::dropped(&self.connection(), key)
    }

    fn repair(&self, repair: &NewRepair) -> Result<(), Error> {
        self.write(Durable::Now, |transaction| repairs::accept(transaction, repair))
    }

    fn places(&self, scope: &str) -> Result<Vec<Place>, Error> {
        places::of_scope(&self.connection(), scope)
    }

    fn places_at(&self, path: &Path) -> Result<Vec<Place>, Error> {
        places::at(&self.connection(), path)
    }

    fn pending_place(&self, id: &RevisionId) -> Result<Option<Place>, Error> {
        places::of_pending(&self.connection(), id)
    }

    fn bind_place(&self, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error> {
        self.write(Durable::Soon, |transaction| places::bind(transaction, new))
    }

    fn fork_scope(&self, fork: &NewFork<'_>) -> Result<usize, Error> {
        self.write(Durable::Now, |transaction| places::fork(transaction, fork))
    }

    fn scopes(&self) -> Result<Vec<ScopeRecord>, Error> {
        places::scopes(&self.connection())
    }

    fn snapshot(&self, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
        snapshots::find(&self.connection(), id)
    }

    fn snapshot_ids(&self, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error> {
        snapshots::ids(&self.connection(), after, limit)
    }

    fn start_session(&self, session: &NewSession, binding: &Binding) -> Result<Session, Error> {
        self.write(Durable::Soon, |transaction| sessions::start(transaction, session, binding))
    }

    fn refresh_session(
        &self,
        id: &SessionId,
        expected: Option<&str>,
        binding: &Binding,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Session> {
        self.decide(|transaction| sessions::refresh(transaction, id, expected, binding, actor, origin, now))
    }

    fn set_session_state(
        &self,
        id: &SessionId,
        state: SessionState,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Session> {
        self.decide(|transaction| sessions::set_state(transaction, id, state, actor, origin, now))
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        sessions::find(&self.connection(), id)
    }

    fn surroundings(&self, id: &SessionId) -> Result<Option<Surroundings>, Error> {
        sessions::surroundings(&self.connection(), id)
    }

    fn sessions(
        &self,
        agent: Option<&str>,
        state: Option<SessionState>,
        before: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Session>, Error> {
        sessions::list(&self.connection(), agent, state, before, limit)
    }

    fn live_run(&self, session: &SessionId, now: Time) -> Result<Option<RunId>, Error> {
        sessions::live_run(&self.connection(), session, now)
    }

    fn add_task(&self, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.write(Durable::Soon, |transaction| tasks::add(transaction, task, actor, origin))
    }

    fn claim_run(
        &self,
        session: &SessionId,
        lease: Duration,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Option<Run>> {
        self.decide(|transaction| tasks::claim(transaction, session, lease, actor, origin, now))
    }

    fn renew_run(&self, id: &RunId, lease: Duration, actor: &Party, origin: &Party, now: Time) -> Decided<Run> {
        self.decide(|transaction| tasks::renew(transaction, id, lease, actor, origin, now))
    }

    fn finish_run(&self, id: &RunId, outcome: Outcome, actor: &Party, origin: &Party, now: Time) -> Decided<Run> {
        self.decide(|transaction| tasks::finish(transaction, id, outcome, actor, origin, now))
    }

    fn tasks(
        &self,
        state: Option<TaskState>,
        after: Option<&TaskId>,
        limit: usize,
    ) -> Result<Option<Vec<Task>>, Error> {
        tasks::list(&self.connection(), state, after, limit)
    }

    fn selected_soul(&self) -> Result<Option<String>, Error> {
        settings::selected(&self.connection())
    }

    fn select_soul(&self, id: Option<&str>, actor: &Party, origin: &Party, now: Time) -> Result<(), Error> {
        self.write(Durable::Now, |transaction| settings::select(transaction, id, actor, origin, now))
    }

    fn add_token(&self, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.write(Durable::Now, |transaction| tokens::add(transaction, token, proof, actor, origin))
    }

    fn token(&self, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error> {
        tokens::find(&self.connection(), id)
    }

    fn tokens(&self) -> Result<Vec<Token>, Error> {
        tokens::list(&self.connection())
    }

    fn revoke_token(&self, id: &TokenId, actor: &Party, origin: &Party, now: Time) -> Result<Option<Token>, Error> {
        self.write(Durable::Now, |transaction| tokens::revoke(transaction, id, actor, origin, now))
    }

    fn persona(&self, key: &SoulKey) -> Result<State, Error> {
        personas::find(&self.connection(), key)
    }

    fn adapt_persona(&self, new: &NewMutation) -> Result<Adaptation, Error> {
        self.write(Durable::Now, |transaction| personas::adapt(transaction, new))
    }

    fn mutations(&self, key: &SoulKey, before: Option<i64>, limit: usize) -> Result<Vec<Mutation>, Error> {
        personas::mutations(&self.connection(), key, before, limit)
    }

    fn revert_persona(&self, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error> {
        self.write(Durable::Now, |transaction| personas::revert(transaction, revert))
    }

    fn change_persona(
        &self,
        key: &SoulKey,
        event: &NewEvent,
        now: Time,
        change: &mut dyn FnMut(&mut State),
    ) -> Result<State, Error> {
        self.write(Durable::Soon, |transaction| personas::change(transaction, key, event, now, change))
    }

    fn append_event(&self, event: &NewEvent, now: Time) -> Result<(), Error> {
        self.write(Durable::Soon, |transaction| events::append(transaction, event, now))
    }

    fn events(&self, after: i64, limit: usize) -> Result<Vec<Event>, Error> {
        events::list(&self.connection(), after, limit)
    }

    fn event_before_last(&self, count: usize) -> Result<i64, Error> {
        events::before_last(&self.connection(), count)
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}
