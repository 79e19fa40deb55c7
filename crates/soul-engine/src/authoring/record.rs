//! Putting what is in the file on record in the name of the caller, without touching it.

use super::adopt::OUTSIDE;
use super::{Applied, Change, Checked, Current, Error, Lock, Subject, check, is_pinned_to, is_poisoned, report_poison};
use crate::Keeper;
use crate::fields::NonBlank;
use crate::souls::{Chosen, ChosenBy};
use crate::store::{Action, Draft, Revision};

pub(super) fn record(
    keeper: &Keeper,
    subject: &dyn Subject,
    lock: &Lock,
    last: Option<Revision>,
    current: Current,
    chosen: Option<Chosen>,
    change: Change,
) -> Result<Applied, Error> {
    let (store, key, now) = (keeper.store()?, subject.key()?, keeper.now());
    let requested = change.dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Request));
    let current = if requested.is_some() { Current::new(keeper, subject, requested, current.bytes) } else { current };
    let Some(bytes) = &current.bytes else {
        return Err(Error::NothingToRecord(current.soul.source_path, subject.owner()));
    };
    let raw_digest = current.raw();
    let (soul, Checked { snapshot, report }) = check(keeper, subject, &key, current.soul, Some(bytes), &change)?;
    let poisoned = report.as_ref().is_some_and(|report| is_poisoned(report, &change.author.actor));
    let findings = report.map(|report| report.findings).unwrap_or_default();
    let dialect = requested.or(chosen).map(|chosen| chosen.dialect).or_else(|| soul.dialect());
    let last = match last {
        // An edit that was found has no author until a caller claims it.
        Some(last)
            if last.sealed.raw_digest == raw_digest
                && last.sealed.actor.kind != OUTSIDE
                && is_pinned_to(store, &last, &key, dialect)? =>
        {
            return Ok(Applied { soul, revision: last, unchanged: true, findings, reconnected: lock.reconnected });
        }
        last => last,
    };
    let draft = Draft {
        key,
        after: last.as_ref().map(Revision::link),
        place: None,
        action: Action::Adopt,
        previous_digest: last.as_ref().and_then(|revision| revision.sealed.new_digest),
        new_digest: soul.digest,
        body: current.bytes,
        dialect,
        idempotency: None,
        reason: change.force.filter(|_| poisoned).map(NonBlank::into_string),
        message: change.message,
        actor: change.author.actor,
        origin: change.author.origin,
        now,
    };
    let displaced = || Error::Displaced(subject.owner());
    let revision = store.append_revision(&draft, snapshot.as_ref())?.ok_or_else(displaced)?;
    if poisoned {
        // It is on record with its reason; an event that is lost does not unmake it.
        let _ = report_poison(store, &revision, &findings, now);
    }
    Ok(Applied { soul, revision, unchanged: false, findings, reconnected: lock.reconnected })
}
