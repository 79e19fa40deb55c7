//! What others did to a file, taken into the record.

use super::{
    Conflict, Current, Error, MAX_ADOPTED, Place, Subject, is_poisoned, read, recover, report_poison, scanned,
};
use crate::Keeper;
use crate::clock::Time;
use crate::store::{Action, Draft, Party, Revision, Store};
use crate::workspace::SoulKey;

/// The kind of actor that changed a file without the keeper.
pub(crate) const OUTSIDE: &str = "outside";

/// Records what others did to the file, before anything of it can be lost. Returns the last revision.
pub(super) fn adopt(
    store: &dyn Store,
    subject: &dyn Subject,
    key: &SoulKey,
    last: Option<Revision>,
    current: &Current,
    origin: &Party,
    now: Time,
) -> Result<Option<Revision>, Error> {
    let recorded = last.as_ref().and_then(|revision| revision.sealed.raw_digest);
    if recorded == current.raw() {
        return Ok(last);
    }
    if current.bytes.as_ref().is_some_and(|bytes| bytes.len() > MAX_ADOPTED) {
        return Err(Error::TooLargeToAdopt(subject.owner()));
    }
    let draft = Draft {
        key: key.clone(),
        after: last.as_ref().map(Revision::link),
        place: None,
        action: Action::Adopt,
        previous_digest: last.as_ref().and_then(|revision| revision.sealed.new_digest),
        new_digest: current.soul.digest.filter(|_| current.bytes.is_some()),
        body: current.bytes.clone(),
        dialect: current.soul.dialect().or_else(|| last.and_then(|revision| revision.sealed.dialect)),
        idempotency: None,
        reason: None,
        message: None,
        // Nobody knows who it was.
        actor: Party::new(OUTSIDE, ""),
        origin: origin.clone(),
        now,
    };
    let revision = store.append_revision(&draft, None)?.ok_or_else(|| Error::Displaced(subject.owner()))?;
    // A soul that is in use is never changed for what is found in it; an event reports it.
    let report = current.bytes.as_deref().map(|bytes| scanned(&current.soul.source_path, bytes));
    if let Some(report) = report.filter(|report| is_poisoned(report, &revision.sealed.actor)) {
        report_poison(store, &revision, &report.findings, now)?;
    }
    Ok(Some(revision))
}

/// Records what someone saved while the change was made, which therefore was not. Returns the conflict.
pub(super) fn yielded(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: &SoulKey,
    place: &dyn Place,
    mut last: Option<Revision>,
    texts: Vec<Vec<u8>>,
    draft: &Draft,
) -> Result<Error, Error> {
    let (store, origin, now) = (keeper.store()?, &draft.origin, keeper.now());
    let chosen = subject.chosen(keeper, store.pinned_dialect(key)?);
    for text in texts {
        let found = Current::new(keeper, subject, chosen, Some(text));
        last = adopt(store, subject, key, last, &found, origin, now)?;
    }
    // Removes what is still in a slot, now that it is on record.
    let last = recover(keeper, subject, key, place, draft.place, now)?;
    let current = read(keeper, subject, place, chosen)?;
    adopt(store, subject, key, last, &current, origin, now)?;
    Ok(current.conflict(Conflict::Stale))
}

/// Records what others did to a file, and changes nothing. Returns the last revision.
pub(crate) fn adopt_outside(keeper: &Keeper, subject: &dyn Subject, origin: &Party) -> Result<Option<Revision>, Error> {
    let lock = super::lock(keeper, subject)?;
    let (store, key, now) = (keeper.store()?, subject.key()?, keeper.now());
    if !lock.covers(&key.scope) {
        return Err(Error::Displaced(subject.owner()));
    }
    let place = super::place_of(keeper, subject)?;
    let last = recover(keeper, subject, &key, &*place, lock.place, now)?;
    let chosen = subject.chosen(keeper, store.pinned_dialect(&key)?);
    let current = read(keeper, subject, &*place, chosen)?;
    adopt(store, subject, &key, last, &current, origin, now)
}
