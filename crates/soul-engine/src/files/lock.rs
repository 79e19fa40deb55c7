use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for a lock before giving up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Locks a file or a directory itself (`flock`), so that no lock file is ever left; the system releases the
/// lock when the process dies. Waits until then, if given. False if another process has the lock.
pub(crate) fn lock(file: &File, until: Option<Instant>) -> io::Result<bool> {
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if until.is_some_and(|until| Instant::now() < until) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Whether what is open is still what is at a path.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (held, there) = (file.metadata().map(identity), std::fs::metadata(path).map(identity));
    held.is_ok_and(|held| there.is_ok_and(|there| held == there))
}

/// Whether what is open is still what is at a path.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
