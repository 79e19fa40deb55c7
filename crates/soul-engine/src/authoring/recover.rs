use soul_core::digest::RawDigest;

use super::{FilePlace, Place, lock};
use crate::Keeper;
use crate::ops::Error;
use crate::store::{Settled, Store};
use crate::workspace::{Agent, SoulKey};

/// Ends a change that was cut off: it happened if its bytes are in the file, else it did not. Only
/// who has the agent's lock may ask.
pub(crate) fn recover(store: &dyn Store, key: &SoulKey, place: &dyn Place) -> Result<(), Error> {
    let Some(pending) = store.pending_revision(key)? else { return Ok(()) };
    // What cannot be read is not what was to be written.
    let found = place.read().unwrap_or(Some(Vec::new())).as_deref().map(RawDigest::of);
    let settled = if found == pending.sealed.raw_digest { Settled::Done } else { Settled::Dropped };
    store.settle_revision(&pending, settled)?;
    // What is left beside is in nobody's way.
    let _ = place.tidy();
    Ok(())
}

/// The same for whoever only reads: if the agent is locked, the change is under way and not cut off.
pub(crate) fn recover_if_idle(keeper: &Keeper, agent: &Agent, key: &SoulKey) -> Result<(), Error> {
    let Some(store) = keeper.existing_store()? else { return Ok(()) };
    if !agent.ours || store.pending_revision(key)?.is_none() {
        return Ok(());
    }
    let Some(_lock) = lock::try_acquire(agent)? else { return Ok(()) };
    recover(store, key, &FilePlace::new(keeper, agent)?)
}
