use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Subject, Trouble};
use crate::ops::Error;

/// How long another may hold it before we give up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A directory is ours until this is gone; the system lets go of it if we die. The lock is on the
/// directory itself, so that nothing of ours stays in it.
pub(crate) struct Lock(#[expect(dead_code, reason = "held, not used")] File);

pub(super) fn acquire(subject: &dyn Subject) -> Result<Lock, Error> {
    let until = Instant::now() + PATIENCE;
    try_until(subject, Some(until))?.ok_or_else(|| subject.told(Trouble::Locked))
}

/// The lock, if nobody has it.
pub(super) fn try_acquire(subject: &dyn Subject) -> Result<Option<Lock>, Error> {
    try_until(subject, None)
}

fn try_until(subject: &dyn Subject, until: Option<Instant>) -> Result<Option<Lock>, Error> {
    let failed = |error: std::io::Error| subject.told(Trouble::Unreadable(error.into()));
    let directory = subject.directory().handle().map_err(failed)?;
    let mut pause = Duration::from_millis(1);
    loop {
        match directory.try_lock() {
            Ok(()) if is_at(&directory, subject.path()) => return Ok(Some(Lock(directory))),
            // While we waited the directory was taken away, and perhaps made anew.
            Ok(()) => return Err(subject.told(Trouble::Gone)),
            Err(TryLockError::WouldBlock) if until.is_some_and(|until| Instant::now() < until) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
}

#[cfg(unix)]
fn is_at(directory: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (held, there) = (directory.metadata().map(identity), std::fs::metadata(path).map(identity));
    held.is_ok_and(|held| there.is_ok_and(|there| held == there))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.is_dir()
}
