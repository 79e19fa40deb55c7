use std::fs::File;
use std::path::Path;
use std::time::Instant;

use super::{Error, Subject};
use crate::files::{self, PATIENCE};

/// A lock on a directory itself, so that nothing of ours stays in it; the system releases it if we die.
pub(crate) struct Lock(#[expect(dead_code, reason = "held, not used")] File);

pub(super) fn acquire(subject: &dyn Subject) -> Result<Lock, Error> {
    let until = Instant::now() + PATIENCE;
    try_until(subject, Some(until))?.ok_or_else(|| Error::Locked(subject.owner()))
}

/// The lock, if nobody holds it.
pub(super) fn try_acquire(subject: &dyn Subject) -> Result<Option<Lock>, Error> {
    try_until(subject, None)
}

fn try_until(subject: &dyn Subject, until: Option<Instant>) -> Result<Option<Lock>, Error> {
    let failed = |error: std::io::Error| subject.unreadable(error.into());
    let directory = subject.directory().handle().map_err(failed)?;
    match files::lock(&directory, until).map_err(failed)? {
        false => Ok(None),
        true if is_at(&directory, subject.path()) => Ok(Some(Lock(directory))),
        // While we waited the directory was removed, and perhaps made anew.
        true => Err(subject.unreadable(files::Error::NotFound).into()),
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
