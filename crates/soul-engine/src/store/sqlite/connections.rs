//! Connections to one file: one that writes, and readers that never wait for it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use super::{Error, PATIENCE, schema};
use crate::store::WINDOWS;
use crate::store::sql::{Durable, Row, Rows, Sql, Take, Value, check_texts};

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

    /// Reads everything as it is at one moment.
    pub(super) fn read_consistent<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        self.read(|connection| {
            connection.execute_batch("BEGIN")?;
            // A connection whose transaction is not over is not used again.
            let result = work(connection)?;
            connection.execute_batch("COMMIT")?;
            Ok(result)
        })
    }

    /// How many bytes the file and its log have.
    pub(super) fn bytes(&self) -> u64 {
        let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
        size(&self.path) + size(&log_of(&self.path))
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
    pub(super) fn write<T, E: From<Error>>(
        &self,
        durable: Durable,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let live = self.live.as_ref().ok_or_else(|| Error::ReadOnly("it was opened to be read".into()))?;
        // A panic in between has rolled its transaction back.
        let mut writer = live.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if durable == Durable::Now {
            synchronous(&writer, "FULL")?;
        }
        let result = transact(&mut writer, |transaction| {
            let value = work(transaction)?;
            // What is written into a file that nobody will find again must not be acknowledged.
            self.check_opened()?;
            Ok(value)
        });
        if durable == Durable::Now {
            synchronous(&writer, "NORMAL")?;
            if result.is_ok() {
                self.check_opened()?;
            }
        }
        result
    }

    /// Whether the files at the path are still the ones that were opened.
    fn check_opened(&self) -> Result<(), Error> {
        match &self.live {
            Some(live) if !live.opened.is_at(&self.path) => Err(Error::Replaced),
            _ => Ok(()),
        }
    }
}

impl Sql for Connection {
    fn run(&self, statement: &str, values: &[Value<'_>]) -> Result<usize, Error> {
        check_texts(values)?;
        Ok(self.prepare_cached(statement)?.execute(params_from_iter(values))?)
    }

    fn each(&self, query: &str, values: &[Value<'_>], take: &mut Take<'_>) -> Result<(), Error> {
        let mut statement = self.prepare_cached(query)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let value = |column| Ok(value(row.get_ref(column)?));
            let mut row = Row::new((0..columns).map(value).collect::<Result<_, rusqlite::Error>>()?);
            if take(&mut row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn locking(&self, _: Rows) -> &'static str {
        ""
    }

    fn owner(&self) -> &str {
        ""
    }

    fn has_seals(&self) -> Result<bool, Error> {
        schema::is_sealed(self)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Garbled(bytes) => ValueRef::Text(bytes),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn value(stored: ValueRef<'_>) -> Value<'static> {
    match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(Cow::Owned(text.to_owned())),
            Err(_) => Value::Garbled(bytes.to_vec()),
        },
        ValueRef::Blob(bytes) => Value::Bytes(Cow::Owned(bytes.to_vec())),
    }
}

fn synchronous(connection: &Connection, how: &str) -> Result<(), Error> {
    Ok(connection.pragma_update(None, "synchronous", how)?)
}

fn configure(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection.pragma_update(None, "trusted_schema", false)?)
}

/// Runs a transaction. An error rolls it back.
pub(super) fn transact<T, E: From<Error>>(
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(Error::from)?;
    let value = work(&transaction)?;
    transaction.commit().map_err(Error::from)?;
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
