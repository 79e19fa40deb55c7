use std::fs::File;
use std::time::Instant;

use super::{Error, Subject};
use crate::files::{self, PATIENCE};
use crate::places::Claim;
use crate::store::{PlaceId, SoulLock, Store};

/// The right to change a soul: the lock that all directories of its record share, and one on the directory itself,
/// which keepers with other stores respect. Nothing of ours stays in the directory, and the system releases both if
/// we die.
pub(crate) struct Lock {
    #[expect(dead_code, reason = "held, not used")]
    soul: SoulLock,
    directory: File,
    scope: String,
    pub(super) place: Option<PlaceId>,
    pub(super) reconnected: bool,
}

impl Lock {
    /// Whether the directory that is locked is still the subject's. It can be taken away at any time, and another one
    /// be put in its place.
    pub(super) fn is_in_place(&self, subject: &dyn Subject) -> bool {
        files::is_at(&self.directory, subject.path())
    }

    /// Whether the record that is locked is still the subject's: its workspace may have been forked meanwhile.
    pub(super) fn covers(&self, scope: &str) -> bool {
        self.scope == scope
    }
}

pub(super) fn acquire(store: &dyn Store, subject: &dyn Subject, claim: Claim) -> Result<Lock, Error> {
    let until = Instant::now() + PATIENCE;
    try_until(store, subject, claim, Some(until))?.ok_or_else(|| Error::Locked(subject.owner()))
}

/// The lock, if nobody holds it.
pub(super) fn try_acquire(store: &dyn Store, subject: &dyn Subject, claim: Claim) -> Result<Option<Lock>, Error> {
    try_until(store, subject, claim, None)
}

fn try_until(
    store: &dyn Store,
    subject: &dyn Subject,
    claim: Claim,
    until: Option<Instant>,
) -> Result<Option<Lock>, Error> {
    let Claim { key, place, reconnected } = claim;
    let Some(soul) = store.lock_soul(&key, until)? else { return Ok(None) };
    let Some(directory) = directory(subject, until)? else { return Ok(None) };
    Ok(Some(Lock { soul, directory, scope: key.scope, place, reconnected }))
}

/// The lock on the directory alone.
pub(super) fn directory(subject: &dyn Subject, until: Option<Instant>) -> Result<Option<File>, Error> {
    let failed = |error: std::io::Error| subject.unreadable(error.into());
    let directory = subject.directory().handle().map_err(failed)?;
    match files::lock(&directory, until).map_err(failed)? {
        false => Ok(None),
        true if files::is_at(&directory, subject.path()) => Ok(Some(directory)),
        // While we waited the directory was removed, and perhaps made anew.
        true => Err(subject.unreadable(files::Error::NotFound).into()),
    }
}
