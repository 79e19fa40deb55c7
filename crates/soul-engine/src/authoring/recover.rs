use soul_core::digest::RawDigest;

use super::{FilePlace, Place, Subject, lock};
use crate::Keeper;
use crate::ops::Error;
use crate::store::{Revision, Settled, Store, Tail};
use crate::workspace::SoulKey;

/// Ends a change that was cut off: it happened if its bytes are in the file, else it did not. Only
/// who has the lock may ask. Returns the last revision.
pub(crate) fn recover(store: &dyn Store, key: &SoulKey, place: &dyn Place) -> Result<Option<Revision>, Error> {
    let Tail { last, pending } = store.tail(key)?;
    let Some(pending) = pending else { return Ok(last) };
    // What cannot be read is not what was to be written.
    let found = place.read().unwrap_or(Some(Vec::new())).as_deref().map(RawDigest::of);
    let settled = if found == pending.sealed.raw_digest { Settled::Done } else { Settled::Dropped };
    store.settle_revision(&pending, settled)?;
    // What is left beside is in nobody's way.
    place.tidy();
    Ok(if settled == Settled::Done { Some(pending) } else { last })
}

/// The same for whoever only reads: if it is locked, the change is under way and not cut off.
pub(crate) fn recover_if_idle(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey) -> Result<(), Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(()) };
    if subject.managed().is_err() || store.tail(key)?.pending.is_none() {
        return Ok(());
    }
    let Some(_lock) = lock::try_acquire(subject)? else { return Ok(()) };
    recover(store, key, &FilePlace::new(keeper, subject))?;
    Ok(())
}
