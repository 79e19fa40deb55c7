//! What the logic of the store needs of an engine: statements with values, the rows that come back, and transactions.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) use super::value::{Row, Value, check_texts, values};
use super::{Decided, Error, Link, Refusal, SoulLock};
use crate::workspace::SoulKey;

/// One connection. Changes are made in a transaction of [`Engine::write`].
pub(super) trait Sql {
    /// Runs a statement, and returns how many rows it changed.
    fn run(&self, statement: &str, values: &[Value<'_>]) -> Result<usize, Error>;

    /// Runs a query, and gives away its rows until there are no more or the caller has enough.
    fn each(&self, query: &str, values: &[Value<'_>], take: &mut Take<'_>) -> Result<(), Error>;

    /// What ends a query whose rows nobody else may change before the transaction is over. Empty where there is one
    /// writer at a time.
    fn locking(&self, rows: Rows) -> &'static str;

    /// The home that is asking: what it records of directories is about its own. Empty where there is only one.
    fn owner(&self) -> &str;

    /// Whether rows have seals: those of an early version that cannot be migrated have none.
    fn has_seals(&self) -> Result<bool, Error>;
}

/// Takes a row.
pub(super) type Take<'a> = dyn FnMut(&mut Row) -> Result<ControlFlow<()>, Error> + 'a;

/// Rows that a query locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// All, after waiting for those that change one of them.
    All,
    /// Those that nobody else has locked.
    Free,
}

impl dyn Sql + '_ {
    /// The first row of a query.
    pub(super) fn one<T>(
        &self,
        query: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&mut Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let mut found = None;
        self.each(query, values, &mut |row| {
            found = Some(read(row)?);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// All rows of a query.
    pub(super) fn all<T>(
        &self,
        query: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&mut Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut found = Vec::new();
        self.each(query, values, &mut |row| {
            found.push(read(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }
}

/// Whether a commit must be on the disk when the call returns. One that need not survives a crash of the
/// process all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durable {
    Now,
    Soon,
}

/// What a transaction changes alone, whether there are rows of it yet or not.
#[derive(Debug, Clone, Copy)]
pub(super) enum Alone<'a> {
    /// Rows that the transaction locks by itself.
    Rows,
    /// The record of a soul.
    Soul(&'a SoulKey),
    /// A persona and its budgets.
    Persona(&'a SoulKey),
    /// The places of a scope.
    Scope(&'a str),
    /// A setting.
    Setting(&'a str),
}

/// A database that keeps the tables.
pub(super) trait Engine: Send + Sync {
    /// Reads. Waits for no writer.
    fn read<T>(&self, work: impl FnMut(&dyn Sql) -> Result<T, Error>) -> Result<T, Error>;

    /// Reads everything as it is at one moment, however long that takes. Runs once.
    fn read_consistent<T>(&self, work: impl FnOnce(&dyn Sql) -> Result<T, Error>) -> Result<T, Error>;

    /// Runs a transaction, again if others were in its way. An error rolls it back.
    fn write<T, E: From<Error> + Retry>(
        &self,
        alone: Alone<'_>,
        durable: Durable,
        work: impl FnMut(&dyn Sql) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Runs a transaction that may refuse. A refusal rolls it back, too.
    fn decide<T>(&self, work: impl FnMut(&dyn Sql) -> Result<T, Abort>) -> Decided<T> {
        match self.write(Alone::Rows, Durable::Soon, work) {
            Ok(value) => Ok(Ok(value)),
            Err(Abort::Refused(refusal)) => Ok(Err(refusal)),
            Err(Abort::Failed(error)) => Err(error),
        }
    }

    /// See [`super::Store::lock_soul`].
    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error>;

    /// See [`super::Store::texts`].
    fn texts(&self) -> Option<&dyn super::Texts> {
        None
    }

    /// See [`super::Store::version`].
    fn version(&self, window: usize) -> Result<i64, Error>;

    /// See [`super::Store::wait_for_news`].
    fn wait_for_news(&self, seen: u64, patience: Duration) -> u64 {
        std::thread::sleep(patience);
        seen.wrapping_add(1)
    }

    /// Gives a number to every event that is committed and has none yet.
    fn number_events(&self) -> Result<(), Error>;

    /// Refuses to go on where the record of a soul ends before what this home has seen of it.
    fn check_head(&self, key: &SoulKey) -> Result<(), Error>;

    /// Remembers where the record of a soul ends now. The change is made and durable: that this is lost only means that
    /// less is remembered.
    fn note_head(&self, key: &SoulKey, head: Option<Link>);

    /// See [`super::Store::check`].
    fn check(&self) -> Result<Vec<String>, Error>;

    /// Rows that refer to what is not there, where the database does not see to that by itself.
    fn dangling(&self) -> Result<Vec<super::Problem>, Error>;

    /// The version of the tables.
    fn schema_version(&self) -> Result<i64, Error>;

    /// How many bytes it takes on its disk.
    fn bytes(&self) -> Result<u64, Error>;

    /// Lets the numbers that the engine gives to new rows begin after those of the rows that are there: they came with
    /// their numbers. Nothing to do where the engine looks for the highest.
    fn resume_numbering(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Forgets what this machine has noted of a store that is empty, and is about to become another one.
    fn forget_mark(&self) -> Result<(), Error> {
        Ok(())
    }

    /// See [`super::Store::copy_to`].
    fn copy_to(&self, file: &Path) -> Result<(), Error>;
}

/// Why a transaction is rolled back.
pub(super) enum Abort {
    /// It refuses.
    Refused(Refusal),
    /// It fails.
    Failed(Error),
}

impl From<Refusal> for Abort {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Abort {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What ends a transaction, which may be run again.
pub(super) trait Retry {
    /// Whether what was in the way may no longer be after so many attempts.
    fn is_transient(&self, attempt: u32) -> bool;
}

impl Retry for Error {
    fn is_transient(&self, attempt: u32) -> bool {
        // A connection that was lost may be replaced by another, but a server that is gone is not waited for.
        matches!(self, Self::Collided) || (attempt == 1 && matches!(self, Self::Unavailable(_)))
    }
}

impl Retry for Abort {
    fn is_transient(&self, attempt: u32) -> bool {
        matches!(self, Self::Failed(error) if error.is_transient(attempt))
    }
}
