//! Who has a store open. Every keeper shares a lock on `keeper.lock`; a command that replaces the store needs it alone.
//!
//! It is a file of its own: closing any descriptor of the database would release the locks of its engine.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Detail, Error};
use crate::files::PATIENCE;

/// Shares the lock until the file is dropped. `None` where nothing can be written: there nobody replaces the store.
pub(super) fn share(store: &Path) -> Result<Option<File>, Error> {
    let Ok(file) = open(store) else { return Ok(None) };
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock_shared() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => return Err(Error::Busy),
            // This file system has no locks.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// How long to wait for commands that are about to end. A service does not end.
const BRIEFLY: Duration = Duration::from_millis(250);

/// Takes the lock alone, until the file is dropped.
pub(crate) fn alone(store: &Path) -> Result<File, Error> {
    let file = open(store).map_err(|error| Error::ReadOnly(Detail::io(error)))?;
    let until = Instant::now() + BRIEFLY;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => return Err(Error::InUse),
            Err(TryLockError::Error(error)) => return Err(Error::Failed(Detail::io(error))),
        }
    }
}

fn open(store: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(store.with_extension("lock"))
}
