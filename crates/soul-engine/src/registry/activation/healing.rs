//! What was cut off is ended: the files follow the soul.

use soul_core::model::Dialect;

use super::super::Error;
use super::super::lock::Packages;
use super::place::{Direction, Place, same};
use super::record::{Kept, State, is_pending};
use crate::Keeper;
use crate::authoring;
use crate::souls;
use crate::workspace::{Kind, SoulKey};

/// Removes what the use had made, and the record.
pub(super) fn end_restore(place: &Place<'_>, kept: Kept) -> Result<(), Error> {
    place.remove_folders(&kept.record.folders);
    place.remove_if_new(kept.record.is_new_agent);
    kept.forget()
}

/// Ends what was cut off, before a command looks at an agent. Another process that is at it is not disturbed.
pub(crate) fn heal(keeper: &Keeper) {
    if !keeper.home().is_some_and(is_pending) {
        return;
    }
    // What cannot be ended now is ended later; whatever the command does has its own errors.
    if let Ok(_packages) = Packages::try_lock(keeper) {
        let _ = heal_locked(keeper);
    }
}

pub(super) fn heal_locked(keeper: &Keeper) -> Result<(), Error> {
    let home = keeper.home().ok_or(Error::NoHome)?;
    let Some(kept) = Kept::pending(home)? else { return Ok(()) };
    // An agent that this machine has no copy of yet is not one that is gone.
    keeper.prepare()?;
    let key =
        SoulKey { scope: kept.record.scope.clone(), kind: Kind::Agent, name: kept.record.agent.as_str().to_owned() };
    match keeper.agent_of(&key) {
        Ok(agent) => {
            let lock = authoring::lock(keeper, &agent)?;
            let ended = finish(&Place::of(keeper, &agent)?, kept);
            drop(lock);
            ended
        }
        // Its directory is gone, or was never made; there is nothing to end.
        Err(souls::Error::AgentNotFound(_)) => kept.forget(),
        Err(error) => Err(error.into()),
    }
}

/// Makes the files follow the soul.
pub(super) fn finish(place: &Place<'_>, mut kept: Kept) -> Result<(), Error> {
    let keeper = place.keeper;
    authoring::recover_held(keeper, place.agent, &place.key)?;
    let soul = place.soul()?;
    let pinned = keeper.store()?.pinned_dialect(&place.key)?;
    let is_used = same(&kept.record.soul.after, &soul) && pinned == Some(Dialect::Soulspec);
    let is_restored =
        same(&kept.record.soul.before, &soul) && (soul.is_none() || pinned.is_none() || pinned == kept.record.dialect);
    let goes_back = match kept.record.state {
        State::Used => return Ok(()),
        State::Restoring => is_restored,
        State::Using => !is_used,
    };
    if goes_back {
        place.apply(&kept, Direction::Back)?;
        return end_restore(place, kept);
    }
    place.apply(&kept, Direction::Forward)?;
    kept.set(State::Used)
}
