//! The one service that changes souls. Whatever asks for a change, this is what happens:
//!
//! lock → recover → read → adopt → compare → check and scan → record → replace → settle
//!
//! The change is on record, durably, before the file changes; the file is replaced whole; a change
//! that was cut off anywhere is completed or taken back by whoever comes next.

mod lock;
mod place;
mod recover;
mod subject;

use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::scan::{File, Finding, Report, Trust, scan_as};

pub(crate) use lock::Lock;
pub(crate) use place::{FilePlace, Place};
pub(crate) use recover::{recover, recover_if_idle};
pub(crate) use subject::{Subject, Trouble};

use crate::Keeper;
use crate::clock::Time;
use crate::files;
use crate::ids::RevisionId;
use crate::library;
use crate::ops;
use crate::ops::inspect;
use crate::ops::load::Text;
use crate::ops::{Conflict, Error};
use crate::settings::OnWrite;
use crate::store::{Action, Draft, EventKind, NewEvent, Party, Revision, Settled, Store};
use crate::workspace::{Agent, SoulKey};

/// The largest file that is taken into the record.
const MAX_ADOPTED: usize = 1 << 20;

/// What lies between the steps of a change, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The directory is locked.
    Locked,
    /// The file has been read.
    Read,
    /// A change from outside is on record.
    Adopted,
    /// The file is the one that was expected.
    Compared,
    /// The new text may come into place.
    Checked,
    /// The change is on record, pending.
    Recorded,
    /// The new text is on disk, beside the file.
    Staged,
    /// The new text is in place.
    Replaced,
    /// The place is on disk too.
    Synced,
    /// The record says that it is done.
    Settled,
}

impl Step {
    /// Every step.
    pub const ALL: [Self; 10] = [
        Self::Locked,
        Self::Read,
        Self::Adopted,
        Self::Compared,
        Self::Checked,
        Self::Recorded,
        Self::Staged,
        Self::Replaced,
        Self::Synced,
        Self::Settled,
    ];
}

/// What is asked for.
pub(crate) struct Change {
    pub(crate) intent: Intent,
    /// The digest, canonical or raw, of the soul that the asker has seen.
    pub(crate) expected: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) dialect: Option<Dialect>,
    /// Why it is to be done whatever the scanner says.
    pub(crate) force: Option<String>,
    pub(crate) actor: Party,
    pub(crate) origin: Party,
}

/// What is to become of the soul.
pub(crate) enum Intent {
    Put(Vec<u8>),
    Delete,
    Rollback(RevisionId),
}

/// The soul afterwards, and the record of the change.
pub(crate) struct Applied {
    pub(crate) soul: inspect::Response,
    pub(crate) revision: Revision,
    /// What the scanner found in the text.
    pub(crate) findings: Vec<Finding>,
}

/// A soul as it is in its file.
struct Current {
    bytes: Option<Vec<u8>>,
    soul: inspect::Response,
}

impl Current {
    fn raw(&self) -> Option<RawDigest> {
        self.bytes.as_deref().map(RawDigest::of)
    }

    /// What names it to whoever asks: its meaning, or its bytes if it has none.
    fn digest(&self) -> Option<String> {
        self.raw().map(|raw| self.soul.digest.map_or_else(|| raw.to_string(), |digest| digest.to_string()))
    }

    fn conflict(&self, conflict: Conflict) -> Error {
        Error::Conflict { conflict, current_digest: self.digest() }
    }
}

/// Makes a change, whole or not at all.
pub(crate) fn apply(keeper: &Keeper, subject: &dyn Subject, change: Change) -> Result<Applied, Error> {
    apply_locked(keeper, subject, &lock(keeper, subject)?, change)
}

/// The lock, for whoever must look around before it is known what to change.
pub(crate) fn lock(keeper: &Keeper, subject: &dyn Subject) -> Result<Lock, Error> {
    subject.managed()?;
    // Without a store nothing can be changed, so nobody needs to wait for the lock.
    keeper.store()?;
    lock::acquire(subject)
}

/// The same for one who has the lock of the subject's directory.
pub(crate) fn apply_locked(
    keeper: &Keeper,
    subject: &dyn Subject,
    _lock: &Lock,
    change: Change,
) -> Result<Applied, Error> {
    let store = keeper.store()?;
    let key = subject.key()?;
    let place = FilePlace::new(keeper, subject);
    let fault = |error: std::io::Error| unwritable(keeper, subject, &error);
    keeper.pass(Step::Locked).map_err(fault)?;
    let last = recover(store, &key, &place, keeper.now())?;
    let pinned = last.as_ref().and_then(|revision| revision.sealed.dialect);

    let recorded = last.as_ref().and_then(|revision| revision.sealed.raw_digest);
    let current = read(keeper, subject, &place, pinned, recorded)?;
    if let Some(applied) = repeated(keeper, store, subject, &key, &current, &change)? {
        return Ok(applied);
    }
    keeper.pass(Step::Read).map_err(fault)?;
    let last = adopt(store, &key, last, &current, &change, keeper.now())?;
    keeper.pass(Step::Adopted).map_err(fault)?;
    compare(&current, change.expected.as_deref(), matches!(change.intent, Intent::Delete))?;
    keeper.pass(Step::Compared).map_err(fault)?;

    let Proposal { action, body, dialect } = proposal(store, &key, &change, pinned)?;
    let text = body.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, dialect, text);
    let snapshot = match &body {
        Some(bytes) if bytes.len() > MAX_ADOPTED => return Err(Error::TooLargeToKeep),
        Some(_) if !soul.valid => return Err(Error::Invalid(Box::new(soul))),
        Some(_) => Some(subject.capture(keeper, &key, &soul)?),
        // What is wrong beside a soul does not keep it from being removed.
        None => None,
    };
    let report = body.as_deref().filter(|bytes| !is_ours(bytes)).map(|bytes| scanned(&soul.source_path, bytes));
    let poisoned = report.as_ref().is_some_and(|report| !report.passed());
    if let (true, OnWrite::Refuse, None, Some(report)) = (poisoned, keeper.settings.on_write, &change.force, &report) {
        return Err(Error::Poisoned(soul.source_path, Box::new(report.clone())));
    }
    keeper.pass(Step::Checked).map_err(fault)?;

    let draft = Draft {
        key: key.clone(),
        action,
        // As it was recorded: what it means today may depend on settings and on files beside it.
        previous_digest: last.and_then(|revision| revision.sealed.new_digest),
        new_digest: soul.digest.filter(|_| body.is_some()),
        body,
        dialect,
        idempotency: change.idempotency_key.clone().map(|repeated| (repeated, request_digest(&change))),
        reason: change.force.filter(|_| poisoned),
        message: None,
        actor: change.actor,
        origin: change.origin,
        now: keeper.now(),
    };
    let revision = store.append_revision(&draft, snapshot.as_ref())?;
    keeper.pass(Step::Recorded).map_err(fault)?;
    let replaced = match &draft.body {
        Some(bytes) => place.replace(bytes),
        None => place.remove(),
    };
    if let Err(error) = replaced {
        // The file is the old one or the new one; the record follows it.
        recover(store, &key, &place, keeper.now())?;
        return Err(fault(error));
    }
    if !store.settle_revision(&revision, Settled::Done, keeper.now())? {
        return Err(subject.told(Trouble::Displaced));
    }
    keeper.pass(Step::Settled).map_err(fault)?;
    if poisoned {
        tell_poison(store, &revision, keeper.now())?;
    }
    Ok(Applied { soul, revision, findings: report.map(|report| report.findings).unwrap_or_default() })
}

/// The answer that was given before, if this was asked for before.
fn repeated(
    keeper: &Keeper,
    store: &dyn Store,
    subject: &dyn Subject,
    key: &SoulKey,
    current: &Current,
    change: &Change,
) -> Result<Option<Applied>, Error> {
    let Some(idempotency_key) = &change.idempotency_key else { return Ok(None) };
    let Some(revision) = store.repeated_revision(key, idempotency_key)? else { return Ok(None) };
    if revision.sealed.request_digest != Some(request_digest(change)) {
        return Err(current.conflict(Conflict::KeyUsed));
    }
    let text = revision.body.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, revision.sealed.dialect, text);
    Ok(Some(Applied { soul, revision, findings: Vec::new() }))
}

/// What names a request, so that a key cannot stand for two. What the asker had seen is no part of it:
/// whoever asks again may have looked again.
fn request_digest(change: &Change) -> Digest {
    let (action, about): (&str, &[u8]) = match &change.intent {
        Intent::Put(bytes) => ("put", bytes),
        Intent::Delete => ("delete", b""),
        Intent::Rollback(id) => ("rollback", id.as_str().as_bytes()),
    };
    let dialect = change.dialect.map_or("", Dialect::as_str);
    Digest::of([action.as_bytes(), b"\n", dialect.as_bytes(), b"\n", about])
}

/// Reads the file. One that is not on record has to be small enough to be taken into it.
fn read(
    keeper: &Keeper,
    subject: &dyn Subject,
    place: &dyn Place,
    pinned: Option<Dialect>,
    recorded: Option<RawDigest>,
) -> Result<Current, Error> {
    let bytes = match place.read() {
        Ok(bytes) => bytes,
        // What cannot be read is told as whoever inspects it is told.
        Err(files::Error::TooLarge) => return Err(subject.told(Trouble::TooLarge)),
        Err(_) => return Err(Error::Invalid(Box::new(subject.resolve(keeper, pinned, Text::OnDisk)))),
    };
    let text = bytes.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, pinned, text);
    let current = Current { bytes, soul };
    let large = current.bytes.as_ref().is_some_and(|bytes| bytes.len() > MAX_ADOPTED);
    if large && current.raw() != recorded { Err(subject.told(Trouble::TooLarge)) } else { Ok(current) }
}

/// Takes what others did to the file into the record, before anything of it can be lost. Returns the
/// last revision.
fn adopt(
    store: &dyn Store,
    key: &SoulKey,
    last: Option<Revision>,
    current: &Current,
    change: &Change,
    now: Time,
) -> Result<Option<Revision>, Error> {
    let recorded = last.as_ref().and_then(|revision| revision.sealed.raw_digest);
    if recorded == current.raw() {
        return Ok(last);
    }
    let draft = Draft {
        key: key.clone(),
        action: Action::Adopt,
        previous_digest: last.as_ref().and_then(|revision| revision.sealed.new_digest),
        new_digest: current.soul.digest.filter(|_| current.bytes.is_some()),
        body: current.bytes.clone(),
        dialect: last.and_then(|revision| revision.sealed.dialect),
        idempotency: None,
        reason: None,
        message: None,
        actor: Party::new("unknown", "outside"),
        origin: change.origin.clone(),
        now,
    };
    let revision = store.append_revision(&draft, None)?;
    // What is in use is never changed for what is found in it; it is told.
    if current.bytes.as_deref().is_some_and(|bytes| !scanned(&current.soul.source_path, bytes).passed()) {
        tell_poison(store, &revision, now)?;
    }
    Ok(Some(revision))
}

/// What the scanner says of a text. What the text itself says about the scanner does not count.
fn scanned(path: &str, bytes: &[u8]) -> Report {
    scan_as(&[File { path, bytes }], Trust::Stranger)
}

/// Whether it is a text that comes with the program. Those are scanned by its tests; to scan them where
/// it runs would cost a service that has just begun half of its memory.
fn is_ours(bytes: &[u8]) -> bool {
    [library::seed::TEXT, ops::seed::GUIDE].iter().any(|text| text.as_bytes() == bytes)
}

fn tell_poison(store: &dyn Store, revision: &Revision, now: Time) -> Result<(), Error> {
    Ok(store.append_event(&NewEvent::for_revision(EventKind::Poison, revision), now)?)
}

fn compare(current: &Current, expected: Option<&str>, is_delete: bool) -> Result<(), Error> {
    let expected = expected.map(str::trim).filter(|expected| !expected.is_empty());
    match (&current.raw(), expected) {
        (None, _) if is_delete => Err(Error::SoulMissing(current.soul.source_path.clone())),
        (None, None) => Ok(()),
        (None, Some(_)) => Err(current.conflict(Conflict::Absent)),
        (Some(_), None) => Err(current.conflict(Conflict::DigestRequired)),
        (Some(raw), Some(expected)) => {
            let meaning = current.soul.digest.map(|digest| digest.to_string());
            let same = meaning.as_deref() == Some(expected) || raw.to_string() == expected;
            if same { Ok(()) } else { Err(current.conflict(Conflict::Stale)) }
        }
    }
}

/// What is to be recorded: the bytes that will be in place, and the dialect that holds from then on.
struct Proposal {
    action: Action,
    body: Option<Vec<u8>>,
    dialect: Option<Dialect>,
}

fn proposal(store: &dyn Store, key: &SoulKey, change: &Change, pinned: Option<Dialect>) -> Result<Proposal, Error> {
    let dialect = change.dialect.or(pinned);
    match &change.intent {
        Intent::Put(bytes) => Ok(Proposal { action: Action::Put, body: Some(bytes.clone()), dialect }),
        Intent::Delete => Ok(Proposal { action: Action::Delete, body: None, dialect }),
        // A text comes back in the dialect that it was written in.
        Intent::Rollback(id) => {
            let Earlier { body, dialect } = earlier(store, key, id)?;
            Ok(Proposal { action: Action::Rollback, body: Some(body), dialect })
        }
    }
}

/// A text that there is a way back to.
pub(crate) struct Earlier {
    pub(crate) body: Vec<u8>,
    pub(crate) dialect: Option<Dialect>,
}

pub(crate) fn earlier(store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<Earlier, Error> {
    let found = store.revision(key, id)?;
    let text = found.and_then(|revision| Some(Earlier { body: revision.body?, dialect: revision.sealed.dialect }));
    text.ok_or_else(|| Error::RevisionNotFound(id.clone()))
}

/// Whether the file is the one that was expected, without a change.
pub(crate) fn is_expected(keeper: &Keeper, agent: &Agent, expected: &str) -> Result<(), Error> {
    let pinned = keeper.pinned_dialect(agent)?;
    let current = read(keeper, agent, &FilePlace::new(keeper, agent), pinned, None)?;
    compare(&current, Some(expected), false)
}

fn unwritable(keeper: &Keeper, subject: &dyn Subject, error: &std::io::Error) -> Error {
    Error::Unwritable(keeper.roots.shown(&subject.path().join(subject.file())), files::plain(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_the_program_is_clean() {
        for text in [library::seed::TEXT, ops::seed::GUIDE] {
            assert!(is_ours(text.as_bytes()) && scanned("SOUL.md", text.as_bytes()).findings.is_empty());
        }
        assert!(!is_ours(b"") && !is_ours(&library::seed::TEXT.as_bytes()[1..]));
    }
}
