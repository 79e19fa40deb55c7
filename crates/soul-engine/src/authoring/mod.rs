//! The one service that changes souls. Whatever asks for a change, this is what happens:
//!
//! lock → recover → read → adopt → compare → check → record → replace → settle
//!
//! The change is on record, durably, before the file changes; the file is replaced whole; a change
//! that was cut off anywhere is completed or taken back by whoever comes next.

mod lock;
mod place;
mod recover;
mod subject;

use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

pub(crate) use lock::Lock;
pub(crate) use place::{FilePlace, Place};
pub(crate) use recover::{recover, recover_if_idle};
pub(crate) use subject::{Subject, Trouble};

use crate::Keeper;
use crate::files;
use crate::ids::RevisionId;
use crate::ops::inspect;
use crate::ops::load::Text;
use crate::ops::{Conflict, Error};
use crate::store::{Action, Draft, Party, Revision, Settled, Store};
use crate::workspace::SoulKey;

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
    let place = FilePlace::new(keeper, subject)?;
    let fault = |error: std::io::Error| unwritable(keeper, subject, &error);
    keeper.pass(Step::Locked).map_err(fault)?;
    let last = recover(store, &key, &place)?;
    let pinned = last.as_ref().and_then(|revision| revision.sealed.dialect);
    let dialect = change.dialect.or(pinned);
    if let Some(applied) = repeated(keeper, store, subject, &key, &change)? {
        return Ok(applied);
    }

    let current = read(keeper, subject, &place, pinned)?;
    keeper.pass(Step::Read).map_err(fault)?;
    adopt(store, &key, last, &current, &change)?;
    keeper.pass(Step::Adopted).map_err(fault)?;
    compare(&current, &change)?;
    keeper.pass(Step::Compared).map_err(fault)?;

    let (action, body) = proposal(store, &key, &change.intent)?;
    let text = body.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, dialect, text);
    if !soul.valid {
        return Err(Error::Invalid(Box::new(soul)));
    }
    let snapshot = match &body {
        Some(bytes) => Some(subject.capture(keeper, &key, &soul, bytes)?),
        None => None,
    };
    keeper.pass(Step::Checked).map_err(fault)?;

    let draft = Draft {
        key: key.clone(),
        action,
        previous_digest: current.soul.digest.filter(|_| current.bytes.is_some()),
        new_digest: soul.digest.filter(|_| body.is_some()),
        body,
        dialect,
        idempotency: change.idempotency_key.clone().map(|repeated| (repeated, request_digest(&change))),
        actor: change.actor,
        origin: change.origin,
    };
    let revision = store.append_revision(&draft, snapshot.as_ref())?;
    keeper.pass(Step::Recorded).map_err(fault)?;
    let replaced = match &draft.body {
        Some(bytes) => place.replace(bytes),
        None => place.remove(),
    };
    if let Err(error) = replaced {
        // The file is the old one or the new one; the record follows it.
        recover(store, &key, &place)?;
        return Err(fault(error));
    }
    store.settle_revision(&revision, Settled::Done)?;
    keeper.pass(Step::Settled).map_err(fault)?;
    Ok(Applied { soul, revision })
}

/// The answer that was given before, if this was asked for before.
fn repeated(
    keeper: &Keeper,
    store: &dyn Store,
    subject: &dyn Subject,
    key: &SoulKey,
    change: &Change,
) -> Result<Option<Applied>, Error> {
    let Some(idempotency_key) = &change.idempotency_key else { return Ok(None) };
    let Some(revision) = store.repeated_revision(key, idempotency_key)? else { return Ok(None) };
    if revision.sealed.request_digest != Some(request_digest(change)) {
        let current_digest = revision.sealed.new_digest.map(|digest| digest.to_string());
        return Err(Error::Conflict { conflict: Conflict::KeyUsed, current_digest });
    }
    let text = revision.body.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, revision.sealed.dialect, text);
    Ok(Some(Applied { soul, revision }))
}

/// What names a request, so that a key cannot stand for two.
fn request_digest(change: &Change) -> Digest {
    let (action, about): (&str, &[u8]) = match &change.intent {
        Intent::Put(bytes) => ("put", bytes),
        Intent::Delete => ("delete", b""),
        Intent::Rollback(id) => ("rollback", id.as_str().as_bytes()),
    };
    let expected = change.expected.as_deref().unwrap_or_default();
    let dialect = change.dialect.map_or("", Dialect::as_str);
    Digest::of([action.as_bytes(), b"\n", expected.as_bytes(), b"\n", dialect.as_bytes(), b"\n", about])
}

fn read(keeper: &Keeper, subject: &dyn Subject, place: &dyn Place, pinned: Option<Dialect>) -> Result<Current, Error> {
    let bytes = match place.read() {
        Ok(bytes) => bytes,
        // What cannot be read is told as whoever inspects it is told.
        Err(files::Error::TooLarge) => return Err(subject.told(Trouble::TooLarge)),
        Err(_) => return Err(Error::Invalid(Box::new(subject.resolve(keeper, pinned, Text::OnDisk)))),
    };
    if bytes.as_ref().is_some_and(|bytes| bytes.len() > MAX_ADOPTED) {
        return Err(subject.told(Trouble::TooLarge));
    }
    let text = bytes.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = subject.resolve(keeper, pinned, text);
    Ok(Current { bytes, soul })
}

/// Takes what others did to the file into the record, before anything of it can be lost.
fn adopt(
    store: &dyn Store,
    key: &SoulKey,
    last: Option<Revision>,
    current: &Current,
    change: &Change,
) -> Result<(), Error> {
    let recorded = last.as_ref().and_then(|revision| revision.sealed.raw_digest);
    if recorded == current.raw() {
        return Ok(());
    }
    let draft = Draft {
        key: key.clone(),
        action: Action::Adopt,
        previous_digest: last.as_ref().and_then(|revision| revision.sealed.new_digest),
        new_digest: current.soul.digest.filter(|_| current.bytes.is_some()),
        body: current.bytes.clone(),
        dialect: last.and_then(|revision| revision.sealed.dialect),
        idempotency: None,
        actor: Party::new("unknown", "outside"),
        origin: change.origin.clone(),
    };
    store.append_revision(&draft, None)?;
    Ok(())
}

fn compare(current: &Current, change: &Change) -> Result<(), Error> {
    let expected = change.expected.as_deref().map(str::trim).filter(|expected| !expected.is_empty());
    match (&current.raw(), expected) {
        (None, _) if matches!(change.intent, Intent::Delete) => {
            Err(Error::SoulMissing(current.soul.source_path.clone()))
        }
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

/// What is to be recorded, and the bytes that will be in place.
fn proposal(store: &dyn Store, key: &SoulKey, intent: &Intent) -> Result<(Action, Option<Vec<u8>>), Error> {
    match intent {
        Intent::Put(bytes) => Ok((Action::Put, Some(bytes.clone()))),
        Intent::Delete => Ok((Action::Delete, None)),
        Intent::Rollback(id) => Ok((Action::Rollback, Some(body_of(store, key, id)?))),
    }
}

/// The text of a revision that there is a way back to.
pub(crate) fn body_of(store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<Vec<u8>, Error> {
    let body = store.revision(key, id)?.and_then(|revision| revision.body);
    body.ok_or_else(|| Error::RevisionNotFound(id.clone()))
}

fn unwritable(keeper: &Keeper, subject: &dyn Subject, error: &std::io::Error) -> Error {
    Error::Unwritable(keeper.roots.shown(&subject.path().join(subject.file())), files::plain(error))
}
