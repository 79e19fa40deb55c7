use soul_core::digest::RawDigest;

use super::{Error, FilePlace, Place, Subject, lock};
use crate::Keeper;
use crate::clock::Time;
use crate::store::{Revision, Settled, Store, Tail};
use crate::workspace::SoulKey;

/// Ends a change that was interrupted: it happened if its bytes are in the file, else it did not. Only the
/// holder of the lock may call this. Returns the last revision.
pub(crate) fn recover(
    store: &dyn Store,
    key: &SoulKey,
    place: &dyn Place,
    now: Time,
) -> Result<Option<Revision>, Error> {
    let Tail { last, pending } = store.tail(key)?;
    let Some(pending) = pending else { return Ok(last) };
    // A file that cannot be read does not hold what was to be written.
    let found = place.read().unwrap_or(Some(Vec::new())).as_deref().map(RawDigest::of);
    let settled = if found == pending.sealed.raw_digest { Settled::Done } else { Settled::Dropped };
    store.settle_revision(&pending, settled, now)?;
    place.tidy();
    Ok(if settled == Settled::Done { Some(pending) } else { last })
}

/// The same for readers: while the lock is held, the change is under way and was not interrupted.
pub(crate) fn recover_if_idle(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey) -> Result<(), Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(()) };
    if subject.check_writable().is_err() || store.tail(key)?.pending.is_none() {
        return Ok(());
    }
    let Some(_lock) = lock::try_acquire(subject)? else { return Ok(()) };
    recover(store, key, &FilePlace::new(keeper, subject), keeper.now())?;
    Ok(())
}
