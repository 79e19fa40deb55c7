//! Connections to one file: one that writes, and readers that never wait for it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::Abort;
use super::{Decided, Error, PATIENCE, schema};
use crate::store::WINDOWS;

/// How many connections wait for the next read. More are opened when more reads run at once, and closed after use.
const IDLE: usize = 8;

/// The page cache of a reader, in KiB. The system caches the file; this only spares it being asked.
const READER_CACHE: i64 = 256;

/// One connection that writes, if the file can be written, and a pool of readers.
#[derive(Debug)]
pub(super) struct Connections {
    path: PathBuf,
    live: Option<Live>,
    idle: Mutex<Vec<Connection>>,
    /// Read nothing but the version, so that every commit is one of another connection. Opened when they are asked for:
    /// commands never do.
    windows: [Mutex<Option<Connection>>; WINDOWS],
}

/// A file that is in use by writers, here or in other processes.
#[derive(Debug)]
struct Live {
    writer: Mutex<Connection>,
    opened: Opened,
}

/// Whether a commit must be on the disk when the call returns. One that need not survives a crash of the
/// process all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durable {
    Now,
    Soon,
}

impl Connections {
    /// Opens the file to read and write it. `prepare` brings its tables up to date.
    pub(super) fn open(path: &Path, prepare: impl FnOnce(&mut Connection) -> Result<(), Error>) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let before = identity(path);
        let mut writer = Connection::open_with_flags(path, flags)?;
        configure(&writer)?;
        writer.pragma_update(None, "foreign_keys", true)?;
        writer.pragma_update(None, "synchronous", "NORMAL")?;
        prepare(&mut writer)?;
        // The first read has opened the log, and has locked both, so that no other process removes them.
        let opened = Opened { database: identity(path), log: identity(&log_of(path)) };
        if opened.database != before {
            return Err(Error::Replaced);
        }
        Ok(Self {
            path: path.to_path_buf(),
            live: Some(Live { writer: Mutex::new(writer), opened }),
            idle: Mutex::default(),
            windows: Default::default(),
        })
    }

    /// Opens a file that cannot be written, and that nobody else writes.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, Error> {
        let connections =
            Self { path: path.to_path_buf(), live: None, idle: Mutex::default(), windows: Default::default() };
        connections.read(|_| Ok(()))?;
        Ok(connections)
    }

    /// Reads. Never waits for a writer, nor for another reader.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        self.check_opened()?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.open_reader()?,
        };
        let result = work(&connection)?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(connection);
        }
        Ok(result)
    }

    /// A number that changes with every commit, in this process or another one.
    pub(super) fn version(&self, window: usize) -> Result<i64, Error> {
        let mut window = self.windows[window % WINDOWS].lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match &mut *window {
            Some(connection) => connection,
            closed => closed.insert(self.open_reader()?),
        };
        Ok(connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?)
    }

    fn open_reader(&self) -> Result<Connection, Error> {
        let connection = match &self.live {
            Some(_) => {
                // Only a connection that may write can set up what the log shares in memory.
                let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(&self.path, flags)?
            }
            None => {
                let path = self.path.to_str().ok_or_else(|| Error::ReadOnly("its path is not text".into()))?;
                let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
                let flags =
                    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?
            }
        };
        configure(&connection)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE)?;
        if self.live.is_none() {
            schema::view(&connection)?;
        }
        connection.pragma_update(None, "query_only", true)?;
        // It may have opened a file that came into place after the check.
        self.check_opened()?;
        Ok(connection)
    }

    /// Runs a transaction. An error rolls it back.
    pub(super) fn write<T, E: From<rusqlite::Error> + From<Error>>(
        &self,
        durable: Durable,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let live = self.live.as_ref().ok_or_else(|| Error::ReadOnly("it was opened to be read".into()))?;
        // A panic in between has rolled its transaction back.
        let mut writer = live.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if durable == Durable::Now {
            writer.pragma_update(None, "synchronous", "FULL")?;
        }
        let result = transact(&mut writer, |transaction| {
            let value = work(transaction)?;
            // What is written into a file that nobody will find again must not be acknowledged.
            self.check_opened()?;
            Ok(value)
        });
        if durable == Durable::Now {
            writer.pragma_update(None, "synchronous", "NORMAL")?;
            if result.is_ok() {
                self.check_opened()?;
            }
        }
        result
    }

    /// Runs a transaction that may refuse. A refusal rolls it back, too.
    pub(super) fn decide<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Abort>) -> Decided<T> {
        match self.write(Durable::Soon, work) {
            Ok(value) => Ok(Ok(value)),
            Err(Abort::Refused(refusal)) => Ok(Err(refusal)),
            Err(Abort::Failed(error)) => Err(error),
        }
    }

    /// Whether the files at the path are still the ones that were opened.
    fn check_opened(&self) -> Result<(), Error> {
        match &self.live {
            Some(live) if !live.opened.is_at(&self.path) => Err(Error::Replaced),
            _ => Ok(()),
        }
    }
}

fn configure(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection.pragma_update(None, "trusted_schema", false)?)
}

/// Runs a transaction. An error rolls it back.
pub(super) fn transact<T, E: From<rusqlite::Error>>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

/// Merges the log into the file, and removes it. Fails if anybody has the file open.
pub(super) fn merge_log(path: &Path) -> Result<(), Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Another connection, of whatever program, keeps this from being done.
    match connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get::<_, String>(0)) {
        Ok(mode) if mode == "delete" => {}
        Ok(_) => return Err(Error::InUse),
        Err(error) => {
            return Err(match error.into() {
                Error::Busy => Error::InUse,
                error => error,
            });
        }
    }
    connection.close().map_err(|(_, error)| error)?;
    if log_of(path).exists() { Err(Error::InUse) } else { Ok(()) }
}

/// The write-ahead log of a file.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// The files that a connection has open.
#[derive(Debug)]
struct Opened {
    database: Option<Identity>,
    log: Option<Identity>,
}

impl Opened {
    fn is_at(&self, path: &Path) -> bool {
        identity(path) == self.database && (self.log.is_none() || identity(&log_of(path)) == self.log)
    }
}

/// Device and inode: a file keeps them whatever it is called.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.exists().then_some((0, 0))
}
