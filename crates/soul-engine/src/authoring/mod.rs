//! The one service that changes souls. Whatever asks for a change, this is what happens:
//!
//! lock → recover → read → adopt → compare → check and scan → record → replace → settle
//!
//! The change is on record, durably, before the file changes; the file is replaced whole; a change
//! that was cut off anywhere is completed or taken back by the next caller.

mod adopt;
mod agents;
mod change;
mod check;
mod compare;
mod create;
mod elsewhere;
mod error;
mod gate;
mod lock;
mod place;
mod proposal;
mod record;
mod recover;
mod self_edit;
mod subject;
mod undo;

use soul_core::digest::RawDigest;

pub(crate) use adopt::{OUTSIDE, adopt_outside};
use adopt::{adopt, yielded};
pub(crate) use agents::{create_agent, put, roll_back};
pub use change::{Applied, Step};
pub(crate) use change::{Change, Intent};
use check::{Checked, check, is_pinned_to, report_poison};
pub(crate) use check::{admit, scanned};
pub(crate) use compare::check_expected;
use compare::compare;
pub(crate) use create::create;
pub use error::{Conflict, Error, Owner};
pub(crate) use gate::{is_poisoned, is_refused};
pub(crate) use lock::Lock;
pub(crate) use place::{FilePlace, Outcome, Place, place_of};
pub(crate) use proposal::{Earlier, earlier, named, recorded_soul};
use proposal::{Proposal, goal, proposal};
use recover::recover;
pub(crate) use recover::{adopt_held, recover_held, recover_if_idle};
pub(crate) use self_edit::{check_not_living_on_library, check_not_own, check_not_within_own};
pub(crate) use subject::Subject;
pub(crate) use undo::{OPERATION as UNDO, undo_goal};

use crate::Keeper;
use crate::fault::Cause;
use crate::fields::NonBlank;
use crate::files::{self, Directory};
use crate::souls::{self, Chosen, Resolved, Text};
use crate::store::{self, Action, Draft, Revision, Settled, Store};
use crate::workspace::SoulKey;

/// The largest file that is recorded.
const MAX_ADOPTED: usize = 1 << 20;

/// A soul as it is in its file.
struct Current {
    file: String,
    bytes: Option<Vec<u8>>,
    soul: Resolved,
}

impl Current {
    fn new(keeper: &Keeper, subject: &dyn Subject, chosen: Option<Chosen>, bytes: Option<Vec<u8>>) -> Self {
        let file = subject.file();
        let text = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
        let soul = subject.resolve(keeper, chosen, text);
        Self { file, bytes, soul }
    }

    /// The digest of the file's bytes, which are what is recorded.
    fn raw(&self) -> Option<RawDigest> {
        self.bytes.as_deref().map(RawDigest::of)
    }

    /// The digest of the bytes that a caller has seen: of the file, or of the manifest of a package without SOUL.md.
    fn seen(&self) -> Option<RawDigest> {
        self.raw().or(self.soul.raw_digest.filter(|_| self.soul.is_present()))
    }

    /// The digest that a caller should know it by: of its meaning, or of its bytes if it has none.
    fn digest(&self) -> Option<String> {
        self.seen().map(|raw| self.soul.digest.map_or_else(|| raw.to_string(), |digest| digest.to_string()))
    }

    fn conflict(&self, conflict: Conflict) -> Error {
        Error::Conflict { conflict, current_digest: self.digest() }
    }
}

/// Makes a change, whole or not at all.
pub(crate) fn apply(keeper: &Keeper, subject: &dyn Subject, change: Change) -> Result<Applied, Error> {
    check_change(keeper, subject, &change)?;
    apply_locked(keeper, subject, &lock(keeper, subject)?, change)
}

fn check_change(keeper: &Keeper, subject: &dyn Subject, change: &Change) -> Result<(), Error> {
    if change.is_accepted { Ok(()) } else { check_not_own(keeper, &subject.owner(), &change.author.actor) }
}

/// The lock, for a caller that must look around before it knows what to change.
pub(crate) fn lock(keeper: &Keeper, subject: &dyn Subject) -> Result<Lock, Error> {
    subject.check_writable()?;
    // Without a store nothing can be changed, so nobody needs to wait for the lock.
    let store = keeper.store()?;
    let lock = lock::acquire(store, subject, subject.claim(keeper)?)?;
    // What others changed while we waited.
    keeper.prepare()?;
    Ok(lock)
}

/// The same for a caller that holds the lock of the subject's directory.
pub(crate) fn apply_locked(
    keeper: &Keeper,
    subject: &dyn Subject,
    lock: &Lock,
    change: Change,
) -> Result<Applied, Error> {
    check_change(keeper, subject, &change)?;
    let store = keeper.store()?;
    let key = subject.key()?;
    let displaced = || Error::Displaced(subject.owner());
    if !lock.covers(&key.scope) {
        return Err(displaced());
    }
    let (place, now) = (place_of(keeper, subject)?, keeper.now());
    let fault = |error| unwritable(keeper, subject, error);
    keeper.pass(Step::Locked).map_err(fault)?;
    let last = recover(keeper, subject, &key, &*place, lock.place, now)?;
    let chosen = subject.chosen(keeper, store.pinned_dialect(&key)?);

    let current = read(keeper, subject, &*place, chosen)?;
    if let Some(applied) = repeated(keeper, store, subject, &key, &current, &change)? {
        return Ok(applied);
    }
    keeper.pass(Step::Read).map_err(fault)?;
    if matches!(change.intent, Intent::Record) {
        return record::record(keeper, subject, lock, last, current, chosen, change);
    }
    // Names that count from the last revision mean the last one that the caller can have seen.
    let goal = goal(store, subject, &key, &change.intent, last.as_ref(), &current)?;
    let expected_revision = change.expected_revision.as_ref().map(|id| named(store, &key, id)).transpose()?;
    let last = adopt(store, subject, &key, last, &current, &change.author.origin, now)?;
    keeper.pass(Step::Adopted).map_err(fault)?;
    if matches!(change.intent, Intent::Delete) && current.bytes.is_none() {
        return Err(Error::SoulMissing(current.soul.source_path));
    }
    compare(store, &key, &current, last.as_ref(), change.expected.as_ref(), expected_revision.as_ref())?;
    keeper.pass(Step::Compared).map_err(fault)?;

    let Proposal { action, body, chosen } = proposal(store, &key, &change, goal, chosen)?;
    let file = body.as_deref().map(|bytes| subject.file_for(bytes, chosen.map(|chosen| chosen.dialect)));
    let text = body.as_deref().zip(file.as_deref());
    let text = text.map_or(Text::Absent, |(bytes, file)| Text::Proposed { file, bytes });
    let soul = subject.resolve(keeper, chosen, text);
    let (soul, Checked { snapshot, report }) = check(keeper, subject, &key, soul, body.as_deref(), &change)?;
    let poisoned = report.as_ref().is_some_and(|report| is_poisoned(report, &change.author.actor));
    keeper.pass(Step::Checked).map_err(fault)?;

    // From its first record on, no text of the soul decides over its dialect.
    let dialect = chosen.map(|chosen| chosen.dialect).or_else(|| soul.dialect()).or_else(|| current.soul.dialect());
    let last = match last {
        // What changes nothing is not recorded.
        Some(last) if body.is_some() && body == current.bytes && is_pinned_to(store, &last, &key, dialect)? => {
            let findings = report.map(|report| report.findings).unwrap_or_default();
            return Ok(Applied { soul, revision: last, unchanged: true, findings, reconnected: lock.reconnected });
        }
        last => last,
    };
    let request_digest = change.request_digest();
    let draft = Draft {
        key: key.clone(),
        after: last.as_ref().map(Revision::link),
        place: lock.place,
        action,
        // As it was recorded: what it means today may depend on settings and on files beside it.
        previous_digest: last.as_ref().and_then(|revision| revision.sealed.new_digest),
        new_digest: soul.digest.filter(|_| body.is_some()),
        body,
        dialect,
        idempotency: change.idempotency_key.map(|repeated| (repeated.into_string(), request_digest)),
        // A deletion is forced where the soul is in use.
        reason: change.force.filter(|_| poisoned || action == Action::Delete).map(NonBlank::into_string),
        message: change.message,
        actor: change.author.actor,
        origin: change.author.origin,
        now,
    };
    let revision = store.append_revision(&draft, snapshot.as_ref())?.ok_or_else(displaced)?;
    keeper.pass(Step::Recorded).map_err(fault)?;
    let replaced = match draft.body.as_deref().zip(file.as_deref()) {
        Some((bytes, file)) => {
            let read = current.bytes.as_deref().filter(|_| file == current.file);
            place.replace(&revision, file, bytes, read)
        }
        None => place.remove(&revision, &current.file, current.bytes.as_deref().unwrap_or_default()),
    };
    let findings = report.map(|report| report.findings).unwrap_or_default();
    let applied = Applied { soul, revision, unchanged: false, findings, reconnected: lock.reconnected };
    let failed = match replaced {
        // What was written into a directory that has been taken away is not in place.
        Ok(Outcome::Done) if !lock.is_in_place(subject) && !is_written(subject, &applied.revision) => {
            store.settle_revision(&applied.revision, Settled::Dropped, now)?;
            return Err(Error::DirectoryReplaced(subject.owner()));
        }
        Ok(Outcome::Done) => match store.settle_revision(&applied.revision, Settled::Done, now) {
            Ok(false) if !is_recorded(store, &key, &applied.revision)? => return Err(displaced()),
            Ok(_) => keeper.pass(Step::Settled).err().map(Cause::from),
            Err(error) => Some(error.into()),
        },
        Ok(Outcome::Settled) => keeper.pass(Step::Settled).err().map(Cause::from),
        // Who ended it may have found its text in place.
        Ok(Outcome::Displaced) if !is_recorded(store, &key, &applied.revision)? => return Err(displaced()),
        Ok(Outcome::Displaced) => None,
        Ok(Outcome::Changed(texts)) => {
            store.settle_revision(&applied.revision, Settled::Dropped, now)?;
            return Err(yielded(keeper, subject, &key, &*place, last, texts, &draft)?);
        }
        Err(error) => {
            // The file is the old one or the new one; the record follows it.
            let recovered = recover(keeper, subject, &key, &*place, lock.place, now);
            let is_made = match recovered.and_then(|_| Ok(is_recorded(store, &key, &applied.revision)?)) {
                Ok(is_recorded) => is_recorded,
                // The record cannot tell; what the file cannot tell either may have been done.
                Err(_) => place
                    .read()
                    .map_or(true, |found| found.as_deref().map(RawDigest::of) == applied.revision.sealed.raw_digest),
            };
            if !is_made {
                return Err(fault(error));
            }
            Some(error.into())
        }
    };
    if let Some(cause) = failed {
        return Err(Error::Unconfirmed(Box::new(applied), cause));
    }
    if poisoned {
        // The change is made and on record with its reason; an event that is lost does not unmake it.
        let _ = report_poison(store, &applied.revision, &applied.findings, now);
    }
    Ok(applied)
}

fn unwritable(keeper: &Keeper, subject: &dyn Subject, error: std::io::Error) -> Error {
    // A place in the database fails as the store does.
    match error.downcast::<store::Error>() {
        Ok(error) => error.into(),
        Err(error) => Error::Unwritable(keeper.roots.shown(&subject.path().join(subject.file())), error),
    }
}

/// Whether a revision is on record as done.
fn is_recorded(store: &dyn Store, key: &SoulKey, revision: &Revision) -> Result<bool, store::Error> {
    Ok(store.revision(key, &revision.sealed.id)?.is_some())
}

/// Whether the text of a revision is in the file that is now at the subject's path.
fn is_written(subject: &dyn Subject, revision: &Revision) -> bool {
    let found = Directory::open_unlinked(subject.path()).and_then(|directory| directory.read(subject.file()));
    match found {
        Ok(bytes) => revision.sealed.raw_digest == Some(RawDigest::of(&bytes)),
        Err(files::Error::NotFound) => revision.sealed.raw_digest.is_none(),
        Err(_) => false,
    }
}

/// The answer that was given before, if the same change was asked for before.
fn repeated(
    keeper: &Keeper,
    store: &dyn Store,
    subject: &dyn Subject,
    key: &SoulKey,
    current: &Current,
    change: &Change,
) -> Result<Option<Applied>, Error> {
    let Some(idempotency_key) = &change.idempotency_key else { return Ok(None) };
    let Some(revision) = store.repeated_revision(key, idempotency_key.as_str())? else { return Ok(None) };
    if revision.sealed.request_digest != Some(change.request_digest()) {
        return Err(current.conflict(Conflict::KeyUsed));
    }
    let soul = recorded_soul(keeper, subject, revision.body.as_deref(), revision.sealed.dialect);
    Ok(Some(Applied { soul, revision, unchanged: false, findings: Vec::new(), reconnected: false }))
}

fn read(keeper: &Keeper, subject: &dyn Subject, place: &dyn Place, chosen: Option<Chosen>) -> Result<Current, Error> {
    let bytes = place.read().map_err(|error| refused(keeper, subject, chosen, error))?;
    Ok(Current::new(keeper, subject, chosen, bytes))
}

/// Why nothing can be changed: the file cannot be read.
fn refused(keeper: &Keeper, subject: &dyn Subject, chosen: Option<Chosen>, error: files::Error) -> Error {
    match error {
        files::Error::TooLarge => Error::TooLargeToAdopt(subject.owner()),
        files::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<store::Error>()) => {
            unwritable(keeper, subject, error)
        }
        // What cannot be read is refused with the diagnostics that `inspect` shows.
        error => {
            let mut soul = subject.resolve(keeper, chosen, Text::OnDisk);
            soul.is_unavailable |= error.is_of_machine();
            souls::Error::Invalid(Box::new(soul)).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scanned;
    use crate::souls::built_in::{DEFAULT_SOUL, GUIDE, is_built_in};

    #[test]
    fn what_comes_with_the_program_is_clean() {
        for text in [DEFAULT_SOUL, GUIDE] {
            assert!(is_built_in(text.as_bytes()) && scanned("SOUL.md", text.as_bytes()).findings.is_empty());
        }
        assert!(!is_built_in(b"") && !is_built_in(&DEFAULT_SOUL.as_bytes()[1..]));
    }
}
