//! The store on a PostgreSQL server, which many keepers share.
//!
//! Transactions see what is committed (`READ COMMITTED`) and take locks for what they decide on: of rows that are there,
//! the rows; of a soul's record, a persona or the places of a scope, an advisory lock by name. Claims skip rows that
//! others have locked.

mod advisory;
mod error;
mod events;
mod link;
mod news;
mod pool;
mod schema;
mod texts;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use soul_core::digest::RawDigest;

use link::Session;
use news::{News, Publisher};
use pool::{Access, Links};

use super::mark::{Mark, Noted, NotedHead};
use super::sql::{Alone, Durable, Engine, Retry, Sql};
use super::{Detail, Error, Link, PostgresUrl, Problem, SoulLock, Store, Texts, locks, migration};
use crate::workspace::SoulKey;
use crate::workspace::id::{home_scope, name_home};

/// How often a transaction is run again when others are in its way.
const ATTEMPTS: u32 = 20;

/// The store on a server.
pub struct Postgres {
    pool: Links,
    /// Connections for session locks. They have a pool of their own: a change that has its lock needs another connection
    /// to continue.
    locking: Links,
    access: Access,
    publisher: Publisher,
    news: Arc<News>,
    /// The home of this keeper, where its locks are.
    home: PathBuf,
    mark: Mark,
    /// What names this home in the store.
    owner: String,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    /// Connects to the server, and brings the tables of the database to today's version.
    ///
    /// # Errors
    /// When the server cannot be reached, or the tables are of a later version.
    pub fn open(url: &PostgresUrl, home: &Path) -> Result<Self, Error> {
        // What it records of directories is about this home's.
        let failed = |error| Error::ReadOnly(Detail::io(error));
        name_home(home).map_err(failed)?;
        let store = Self::connect(url, home)?;
        let id = Store::id(&store)?.unwrap_or_default();
        match store.mark.store_id() {
            Some(noted) if noted != id => {
                return Err(store.mark.lost("the database is not the one that was used here"));
            }
            Some(_) => {}
            // What it has is the work of many: this home notes what it adds.
            None => store.mark.write(&Noted { store: id, ..Noted::default() }, false).map_err(failed)?,
        }
        Ok(store)
    }

    /// The same for a migration, which records nothing of this home.
    pub(super) fn connect(url: &PostgresUrl, home: &Path) -> Result<Self, Error> {
        let access = Access::parse(url.expose())?;
        // The first connection tells more than the pool does.
        let mut client = access.connect().map_err(|error| match error.as_db_error() {
            Some(_) => Error::from(error),
            None => Error::Unavailable(Detail::new(error::cause(&error), error)),
        })?;
        schema::migrate(&mut client)?;
        // A home that came with its own record has no name: what is recorded without one is its own.
        let owner = Some(home_scope(Some(home))).filter(|scope| scope != SoulKey::HOME).unwrap_or_default();
        let (pool, locking) = (pool::open(access.clone()), pool::open(access.clone()));
        let (publisher, news) = (Publisher::new(), Arc::default());
        let store = Self {
            pool,
            locking,
            access,
            publisher,
            news,
            home: home.to_path_buf(),
            mark: Mark::of_database(home, url),
            owner,
        };
        if !store.read(schema::is_named)? {
            store.write(Alone::Setting("store_id"), Durable::Now, schema::name)?;
        }
        Ok(store)
    }

    /// Runs it again with another connection if the one that was used is found to be lost. Nothing was changed then.
    fn with_link<T>(&self, mut work: impl FnMut(&mut link::Link) -> Result<T, Error>) -> Result<T, Error> {
        let mut link = pool::get(&self.pool)?;
        match work(&mut link) {
            Err(Error::Unavailable(_)) => {
                drop(link);
                work(&mut *pool::get_tested(&self.pool)?)
            }
            done => done,
        }
    }
}

impl Alone<'_> {
    /// What a transaction begins with.
    fn begin(self) -> String {
        let (what, scope, kind, name) = match &self {
            Alone::Rows => return "BEGIN".to_owned(),
            Alone::Soul(key) => ("soul", key.scope.as_str(), key.kind.as_str(), key.name.as_str()),
            Alone::Persona(key) => ("persona", key.scope.as_str(), key.kind.as_str(), key.name.as_str()),
            Alone::Scope(scope) => ("scope", *scope, "", ""),
            Alone::Setting(name) => ("setting", "", "", *name),
        };
        format!("BEGIN; SELECT pg_advisory_xact_lock({})", advisory::number(&[what, scope, kind, name]))
    }
}

impl Engine for Postgres {
    fn read<T>(&self, mut work: impl FnMut(&dyn Sql) -> Result<T, Error>) -> Result<T, Error> {
        self.with_link(|link| work(&Session::new(link, false, &self.owner)))
    }

    fn read_consistent<T>(&self, work: impl FnOnce(&dyn Sql) -> Result<T, Error>) -> Result<T, Error> {
        let mut link = pool::get_tested(&self.pool)?;
        events::begin_numbered(&mut link)?;
        let done = work(&Session::new(&mut link, false, &self.owner));
        let ended = link.client.batch_execute("COMMIT");
        let value = done?;
        ended?;
        Ok(value)
    }

    fn write<T, E: From<Error> + Retry>(
        &self,
        alone: Alone<'_>,
        _: Durable,
        mut work: impl FnMut(&dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        let begin = alone.begin();
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut link = if attempt == 1 { pool::get(&self.pool)? } else { pool::get_tested(&self.pool)? };
            let done = link.client.batch_execute(&begin).map_err(Error::from).map_err(E::from);
            let done = done.and_then(|()| work(&Session::new(&mut link, true, &self.owner)));
            let error = match done {
                Ok(value) => match link.client.batch_execute("COMMIT") {
                    Ok(()) => {
                        drop(link);
                        self.publisher.note(&self.pool);
                        return Ok(value);
                    }
                    Err(error) => match Error::from(error) {
                        // A server that stops may have committed before it says so, or before it says nothing.
                        Error::Unavailable(detail) | Error::Failed(detail) => {
                            return Err(Error::Unconfirmed(detail).into());
                        }
                        error => error.into(),
                    },
                },
                Err(error) => {
                    // A connection that cannot roll back is closed, which rolls back.
                    let _ = link.client.batch_execute("ROLLBACK");
                    error
                }
            };
            if attempt >= ATTEMPTS || !error.is_transient(attempt) {
                return Err(error);
            }
            drop(link);
            std::thread::sleep(pause(attempt));
        }
    }

    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
        let Some(here) = locks::acquire(&self.home, key, until)? else { return Ok(None) };
        if key.scope != SoulKey::HOME {
            return Ok(Some(here));
        }
        // Keepers on other machines change the same souls.
        Ok(advisory::acquire(&self.locking, key, until)?.map(|lock| SoulLock::new((here, lock))))
    }

    fn texts(&self) -> Option<&dyn Texts> {
        Some(self)
    }

    fn version(&self, _: usize) -> Result<i64, Error> {
        let text = self.read(|db| db.one("SELECT pg_current_snapshot()::text", &[], |row| row.get::<String>(0)))?;
        let digest = RawDigest::of(text.unwrap_or_default().as_bytes());
        Ok(digest.as_bytes().first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes)))
    }

    fn wait_for_news(&self, seen: u64, patience: Duration) -> u64 {
        self.news.wait(&self.access, seen, patience)
    }

    fn number_events(&self) -> Result<(), Error> {
        self.with_link(events::number)
    }

    fn check_head(&self, key: &SoulKey) -> Result<(), Error> {
        self.mark.check_head(self, key)
    }

    fn note_head(&self, key: &SoulKey, head: Option<Link>) {
        let _ = self.mark.note_head(NotedHead::new(key.clone(), head));
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn schema_version(&self) -> Result<i64, Error> {
        self.with_link(|link| schema::version(&mut link.client))
    }

    fn bytes(&self) -> Result<u64, Error> {
        let size = "SELECT pg_database_size(current_database())";
        let bytes = self.read(|db| db.one(size, &[], |row| row.get::<i64>(0)))?;
        Ok(bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default())
    }

    /// The server sees to it that rows refer to rows that are there.
    fn dangling(&self) -> Result<Vec<Problem>, Error> {
        Ok(Vec::new())
    }

    fn resume_numbering(&self) -> Result<(), Error> {
        self.write(Alone::Rows, Durable::Now, |db| {
            for (table, column) in [("tasks", "seq"), ("events", "position"), ("workspace_places", "place")] {
                let next = format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), \
                     (SELECT COALESCE(MAX({column}), 0) + 1 FROM {table}), false)"
                );
                db.each(&next, &[], &mut |_| Ok(ControlFlow::Continue(())))?;
            }
            Ok(())
        })
    }

    fn forget_mark(&self) -> Result<(), Error> {
        self.mark.remove().map_err(|error| Error::ReadOnly(Detail::io(error)))
    }

    fn copy_to(&self, file: &Path) -> Result<(), Error> {
        migration::copy_to_file(self, file)
    }
}

/// How long to wait before a transaction is run again: longer each time, and not as long as the others.
fn pause(attempt: u32) -> Duration {
    let mut random = [0; 2];
    let _ = getrandom::fill(&mut random);
    let longest = 1_u64 << attempt.min(7);
    Duration::from_micros(200 + u64::from(u16::from_be_bytes(random)) * longest * 1_000 / (1 << 16))
}
