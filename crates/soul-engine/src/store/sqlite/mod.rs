//! The store in one SQLite file, safe for many processes.

mod checks;
mod connections;
mod error;
mod schema;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use connections::Connections;

use super::mark::{Mark, Noted, NotedHead};
use super::sql::{Alone, Durable, Engine, Sql};
use super::{Detail, Error, Link, Problem, SoulLock, Store, in_use, locks};
use crate::files;
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
        let store = Self::open_held(path, in_use::share(path)?)?;
        if store.mark.store_id().is_none() {
            store.note_all()?;
        }
        Ok(store)
    }

    /// Opens a store that is there, which nobody else uses until it is dropped.
    pub(super) fn open_alone(path: &Path) -> Result<Self, Error> {
        Self::open_held(path, Some(in_use::alone(path)?))
    }

    fn open_held(path: &Path, in_use: Option<File>) -> Result<Self, Error> {
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
        Ok(Self { connections, mark, home: files::folder_of(path).to_path_buf(), _in_use: in_use })
    }

    /// Notes beside the store which one it is, and where its chains end.
    pub(super) fn note_all(&self) -> Result<(), Error> {
        let noted = Noted::of(self, self.id()?.unwrap_or_default())?;
        self.mark.write(&noted, false).map_err(|error| Error::ReadOnly(Detail::io(error)))
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

    /// Opens a store that is nobody's yet, to fill it or to bring it to today's version.
    pub(super) fn open_unowned(path: &Path) -> Result<Self, Error> {
        let connections = Connections::open(path, schema::migrate)?;
        let home = files::folder_of(path).to_path_buf();
        Ok(Self { connections, mark: Mark::beside(path), home, _in_use: None })
    }

    /// Brings a copy of a store that is nobody's yet to today's version, and returns what a mark says of it.
    pub(crate) fn migrate_copy(path: &Path) -> Result<Noted, Error> {
        let store = Self::open_unowned(path)?;
        let noted = Noted::of(&store, store.id()?.unwrap_or_default())?;
        drop(store);
        Self::merge_log(path)?;
        Ok(noted)
    }

    /// Merges the log of a store that nobody has open into its file, which is complete afterwards, and has no log
    /// until it is opened again.
    pub(crate) fn merge_log(path: &Path) -> Result<(), Error> {
        connections::merge_log(path)
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

impl Engine for Sqlite {
    fn read<T>(&self, mut work: impl FnMut(&dyn Sql) -> Result<T, Error>) -> Result<T, Error> {
        self.connections.read(|connection| work(connection))
    }

    /// There is one write transaction at a time: all of them are alone, and none collides.
    fn write<T, E: From<Error>>(
        &self,
        _: Alone<'_>,
        durable: Durable,
        mut work: impl FnMut(&dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        self.connections.write(durable, |transaction| work(transaction))
    }

    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
        locks::acquire(&self.home, key, until)
    }

    fn version(&self, window: usize) -> Result<i64, Error> {
        self.connections.version(window)
    }

    fn check_head(&self, key: &SoulKey) -> Result<(), Error> {
        self.mark.check_head(self, key)
    }

    fn note_head(&self, key: &SoulKey, head: Option<Link>) {
        let _ = self.mark.note_head(NotedHead::new(key.clone(), head));
    }

    /// Numbers are given in the order of commits.
    fn number_events(&self) -> Result<(), Error> {
        Ok(())
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        self.connections.read(checks::database)
    }

    fn dangling(&self) -> Result<Vec<Problem>, Error> {
        self.connections.read(checks::foreign_keys)
    }

    fn read_consistent<T>(&self, work: impl FnOnce(&dyn Sql) -> Result<T, Error>) -> Result<T, Error> {
        self.connections.read_consistent(|connection| work(connection))
    }

    fn schema_version(&self) -> Result<i64, Error> {
        self.connections.read(schema::version)
    }

    fn bytes(&self) -> Result<u64, Error> {
        Ok(self.connections.bytes())
    }

    fn forget_mark(&self) -> Result<(), Error> {
        self.mark.remove().map_err(|error| Error::ReadOnly(Detail::io(error)))
    }

    fn copy_to(&self, file: &Path) -> Result<(), Error> {
        self.connections.read(|connection| checks::copy(connection, file))
    }
}
