use soul_core::digest::RawDigest;

use super::elsewhere::{Ending, settled_elsewhere};
use super::{Current, Error, Place, Subject, adopt, lock, place_of, read, refused, unwritable};
use crate::Keeper;
use crate::clock::Time;
use crate::files::Leftover;
use crate::places::Claim;
use crate::store::{self, Party, PlaceId, Revision, Settled, Store, Tail};
use crate::workspace::SoulKey;

/// Ends a change that was interrupted: it happened if its bytes are in the file of the place that it was made in, else
/// it did not. While that file cannot be read nobody knows, and the change stays pending. Only the holder of the lock
/// may call this. Returns the last revision.
pub(crate) fn recover(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: &SoulKey,
    place: &dyn Place,
    here: Option<PlaceId>,
    now: Time,
) -> Result<Option<Revision>, Error> {
    let store = keeper.store()?;
    let mut tail = store.tail(key)?;
    // First goes what is on record anyway: when the pending change is dropped, nothing shows whose its text was.
    let pending = tail.pending.as_ref().and_then(|pending| pending.sealed.raw_digest);
    let unknown = forget_recorded(keeper, subject, key, place, pending)?;
    let last = loop {
        let Tail { last, pending, .. } = tail;
        let Some(pending) = pending else { break last };
        let settled = match settled_elsewhere(keeper, store, here, &pending)? {
            Ending::There(settled) => Some(settled),
            Ending::Over => None,
            Ending::Here => {
                let found = place.read().map_err(|error| refused(keeper, subject, None, error))?;
                let is_done = found.as_deref().map(RawDigest::of) == pending.sealed.raw_digest;
                Some(if is_done { Settled::Done } else { Settled::Dropped })
            }
        };
        if let Some(settled) = settled {
            store.settle_revision(&pending, settled, now)?;
            place.tidy();
        }
        tail = store.tail(key)?;
    };
    adopt_leftovers(keeper, subject, key, place, last, unknown, now)
}

/// Removes texts that were taken out of their place and are on record. Returns those that are not.
fn forget_recorded(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: &SoulKey,
    place: &dyn Place,
    pending: Option<RawDigest>,
) -> Result<Vec<Leftover>, Error> {
    let failed = |error| unwritable(keeper, subject, error);
    let mut unknown = Vec::new();
    for leftover in place.leftovers().map_err(failed)? {
        let digest = RawDigest::of(leftover.bytes());
        if pending == Some(digest) || is_on_record(keeper.store()?, key, digest)? {
            leftover.remove().map_err(failed)?;
        } else {
            unknown.push(leftover);
        }
    }
    Ok(unknown)
}

/// Records texts that were saved during a change which was then interrupted.
fn adopt_leftovers(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: &SoulKey,
    place: &dyn Place,
    mut last: Option<Revision>,
    leftovers: Vec<Leftover>,
    now: Time,
) -> Result<Option<Revision>, Error> {
    if leftovers.is_empty() {
        return Ok(last);
    }
    let store = keeper.store()?;
    let chosen = subject.chosen(keeper, store.pinned_dialect(key)?);
    for leftover in leftovers {
        let found = Current::new(keeper, subject, chosen, Some(leftover.bytes().to_vec()));
        last = adopt(store, subject, key, last, &found, &Party::new("recovery", "soul"), now)?;
        leftover.remove().map_err(|error| unwritable(keeper, subject, error))?;
    }
    place.tidy();
    Ok(last)
}

fn is_on_record(store: &dyn Store, key: &SoulKey, digest: RawDigest) -> Result<bool, Error> {
    const PAGE: usize = 1000;
    let mut before = None;
    loop {
        let page = store.history(key, before, PAGE, false)?;
        if page.iter().any(|revision| revision.sealed.raw_digest == Some(digest)) {
            return Ok(true);
        }
        match page.last() {
            Some(oldest) if page.len() == PAGE => before = Some(oldest.sealed.seq),
            _ => return Ok(false),
        }
    }
}

/// The same for a caller that holds the lock and changes the soul through others.
pub(crate) fn recover_held(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey) -> Result<(), Error> {
    let here = subject.known_place(keeper.store()?, &key.scope)?;
    let place = place_of(keeper, subject)?;
    recover(keeper, subject, key, &*place, here, keeper.now()).map(drop)
}

/// Puts the text of the file on record, for a caller that holds the lock and is about to change the files beside it: with
/// other files it might be read in another dialect.
pub(crate) fn adopt_held(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey, origin: &Party) -> Result<(), Error> {
    let (store, now) = (keeper.store()?, keeper.now());
    let (place, here) = (place_of(keeper, subject)?, subject.known_place(store, &key.scope)?);
    let last = recover(keeper, subject, key, &*place, here, now)?;
    let current = read(keeper, subject, &*place, subject.chosen(keeper, store.pinned_dialect(key)?))?;
    adopt(store, subject, key, last, &current, origin, now).map(drop)
}

/// The same for readers: while the lock is held, the change is under way and was not interrupted. A file that cannot
/// be read keeps nobody from reading the record.
pub(crate) fn recover_if_idle(keeper: &Keeper, subject: &dyn Subject, key: &SoulKey) -> Result<(), Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(()) };
    if subject.check_writable().is_err() || store.tail(key)?.pending.is_none() {
        return Ok(());
    }
    let here = subject.known_place(store, &key.scope)?;
    let claim = Claim { key: key.clone(), place: here, reconnected: false };
    let _lock = match lock::try_acquire(store, subject, claim) {
        Ok(Some(lock)) => lock,
        // Where nothing can be written, nothing can be ended either.
        Ok(None) | Err(Error::Store(store::Error::ReadOnly(_))) => return Ok(()),
        Err(error) => return Err(error),
    };
    let place = place_of(keeper, subject)?;
    if place.read().is_err() {
        return Ok(());
    }
    match recover(keeper, subject, key, &*place, here, keeper.now()) {
        Ok(_) | Err(Error::Place(_)) => Ok(()),
        Err(error) => Err(error),
    }
}
