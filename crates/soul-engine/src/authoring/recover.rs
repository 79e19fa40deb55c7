use soul_core::digest::RawDigest;

use super::elsewhere::settled_elsewhere;
use super::{Error, FilePlace, Place, Subject, lock};
use crate::Keeper;
use crate::clock::Time;
use crate::places::Claim;
use crate::store::{PlaceId, Revision, Settled, Store, Tail};
use crate::workspace::SoulKey;

/// Ends changes that were interrupted: one happened if its bytes are in the file of the place that it was made in,
/// else it did not. Only the holder of the lock may call this. Returns the last revision.
pub(crate) fn recover(
    keeper: &Keeper,
    store: &dyn Store,
    key: &SoulKey,
    place: &dyn Place,
    here: Option<PlaceId>,
    now: Time,
) -> Result<Option<Revision>, Error> {
    loop {
        let Tail { last, pending, .. } = store.tail(key)?;
        let Some(pending) = pending else { return Ok(last) };
        let settled = match settled_elsewhere(keeper, store, here, &pending)? {
            Some(settled) => settled,
            None => {
                // A file that cannot be read does not hold what was to be written.
                let found = place.read().unwrap_or(Some(Vec::new())).as_deref().map(RawDigest::of);
                if found == pending.sealed.raw_digest { Settled::Done } else { Settled::Dropped }
            }
        };
        store.settle_revision(&pending, settled, now)?;
        place.tidy();
    }
}

/// The same for readers: while the lock is held, the change is under way and was not interrupted.
pub(crate) fn recover_if_idle(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey) -> Result<(), Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(()) };
    if subject.check_writable().is_err() || store.tail(key)?.pending.is_none() {
        return Ok(());
    }
    let here = subject.known_place(store, &key.scope)?;
    let claim = Claim { key: key.clone(), place: here };
    let Some(_lock) = lock::try_acquire(store, subject, claim)? else { return Ok(()) };
    recover(keeper, store, key, &FilePlace::new(keeper, subject), here, keeper.now())?;
    Ok(())
}
