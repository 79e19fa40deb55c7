//! Taking back what using a package has changed.

use soul_core::model::Dialect;

use super::super::lock::{PackageStep, Packages};
use super::super::{Error, PackagePath};
use super::healing::{end_restore, finish, heal_locked};
use super::place::{Direction, Place, is_own, same};
use super::record::{Blob, Kept, Shelf, State};
use super::{Done, expected, pass};
use crate::Keeper;
use crate::authoring::{self, Intent};
use crate::caller::Author;
use crate::fields::NonBlank;
use crate::workspace::AgentName;

/// Takes back what using the last package has changed.
pub(crate) fn restore(keeper: &Keeper, name: &AgentName, force: bool, author: Author) -> Result<Done, Error> {
    authoring::check_not_own(keeper, &authoring::Owner::Agent(name.clone()), &author.actor)?;
    let _packages = Packages::lock(keeper)?;
    heal_locked(keeper)?;
    let agent = keeper.agent(name)?;
    let place = Place::of(keeper, &agent)?;
    let shelf = Shelf::of(keeper.home().ok_or(Error::NoHome)?, &place.key);
    let mut kept = shelf.last()?.ok_or_else(|| Error::NothingInUse(name.clone()))?;
    let lock = authoring::lock(keeper, &agent)?;
    let (mut stay, changed) = since(&place, &kept)?;
    if !force && !changed.is_empty() {
        return Err(Error::ChangedSince(changed));
    }
    // What is discarded by force is what is there now.
    for path in changed.iter().filter_map(|path| path.parse::<PackagePath>().ok()) {
        let now = place.found(path.as_str())?;
        if let Some(now) = &now {
            kept.add(&now.bytes)?;
        }
        if let Some(change) = kept.record.files.get_mut(&path) {
            change.after = now.map(|now| Blob::of(&now.bytes, now.mode));
        }
    }
    let before = kept.record.soul.before.clone();
    let body = before.as_ref().map(|blob| kept.bytes(blob)).transpose()?;
    let (package, version, is_new) = (kept.record.package.clone(), kept.record.version, kept.record.is_new_agent);
    let dialect = kept.record.dialect.unwrap_or(Dialect::Plain);
    authoring::adopt_held(keeper, &agent, &place.key, &author.origin)?;
    kept.set(State::Restoring)?;
    let result = (|| {
        pass(keeper, PackageStep::Noted)?;
        let done = place.apply(&kept, Direction::Back)?;
        pass(keeper, PackageStep::Placed)?;
        let intent = body.map_or(Intent::Delete, Intent::Put);
        let reason: Option<NonBlank> = format!("restored as it was before {package} was used").try_into().ok();
        let change = authoring::Change {
            expected: expected(&place)?,
            dialect: Some(dialect),
            message: format!("restore what was before {package} {version}").try_into().ok(),
            force: reason,
            ..authoring::Change::new(intent, author)
        };
        let is_absent = matches!(change.intent, Intent::Delete) && place.soul()?.is_none();
        let applied = match is_absent {
            // It was deleted by hand.
            true => None,
            false => Some(authoring::apply_locked(keeper, &agent, &lock, change)?),
        };
        Ok((done, applied))
    })();
    match result {
        Ok((done, applied)) => {
            pass(keeper, PackageStep::Settled)?;
            end_restore(&place, kept)?;
            let removed = done.removed;
            if is_new {
                stay.extend(place.names());
            }
            Ok(Done { applied, package, version, written: done.written, removed, kept: stay })
        }
        Err(error) => {
            finish(&place, kept)?;
            Err(error)
        }
    }
}

/// The files that are no longer as the package left them: the agent's own, which stay, and others.
fn since(place: &Place<'_>, kept: &Kept) -> Result<(Vec<String>, Vec<String>), Error> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (path, change) in &kept.record.files {
        if !same(&change.after, &place.found(path.as_str())?) {
            // What the agent has learnt since, and what the user wrote, is theirs.
            if is_own(path) { own.push(path.to_string()) } else { others.push(path.to_string()) }
        }
    }
    Ok((own, others))
}
