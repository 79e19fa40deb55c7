//! The one service that changes souls. Whatever asks for a change, this is what happens:
//!
//! lock → recover → read → adopt → compare → check and scan → record → replace → settle
//!
//! The change is on record, durably, before the file changes; the file is replaced whole; a change
//! that was cut off anywhere is completed or taken back by the next caller.

mod change;
mod create;
mod elsewhere;
mod error;
mod lock;
mod place;
mod record;
mod recover;
mod subject;
mod undo;

use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::scan::{File, Finding, Report, Trust, scan_as};

pub use change::{Applied, Step};
pub(crate) use change::{Change, Intent};
pub(crate) use create::create;
pub use error::{Conflict, Error, Owner};
pub(crate) use lock::Lock;
pub(crate) use place::{FilePlace, Outcome, Place};
use recover::recover;
pub(crate) use recover::recover_if_idle;
pub(crate) use subject::Subject;
pub(crate) use undo::{OPERATION as UNDO, undo_goal};

use crate::Keeper;
use crate::clock::Time;
use crate::fault::Cause;
use crate::fields::{DigestPart, ExpectedDigest, NonBlank};
use crate::files::{self, Creation, Directory};
use crate::ids::RevisionId;
use crate::references;
use crate::settings::OnWrite;
use crate::souls::built_in::is_built_in;
use crate::souls::{self, Chosen, ChosenBy, Resolved, Text};
use crate::store::{self, Action, Among, Draft, NewEvent, NewSnapshot, Party, Revision, Settled, Store};
use crate::workspace::{Agent, AgentName, SoulKey};

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
    apply_locked(keeper, subject, &lock(keeper, subject)?, change)
}

/// The lock, for a caller that must look around before it knows what to change.
pub(crate) fn lock(keeper: &Keeper, subject: &dyn Subject) -> Result<Lock, Error> {
    subject.check_writable()?;
    // Without a store nothing can be changed, so nobody needs to wait for the lock.
    let store = keeper.store()?;
    lock::acquire(store, subject, subject.claim(keeper)?)
}

/// The same for a caller that holds the lock of the subject's directory.
pub(crate) fn apply_locked(
    keeper: &Keeper,
    subject: &dyn Subject,
    lock: &Lock,
    change: Change,
) -> Result<Applied, Error> {
    let store = keeper.store()?;
    let key = subject.key()?;
    let displaced = || Error::Displaced(subject.owner());
    if !lock.covers(&key.scope) {
        return Err(displaced());
    }
    let (place, now) = (FilePlace::new(keeper, subject), keeper.now());
    let fault = |error| unwritable(keeper, subject, error);
    keeper.pass(Step::Locked).map_err(fault)?;
    let last = recover(keeper, subject, &key, &place, lock.place, now)?;
    let chosen = subject.chosen(keeper, store.pinned_dialect(&key)?);

    let current = read(keeper, subject, &place, chosen)?;
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
    let poisoned = report.as_ref().is_some_and(|report| !report.passed());
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
            place.replace(file, bytes, read)
        }
        None => place.remove(&current.file, current.bytes.as_deref().unwrap_or_default()),
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
            Ok(false) => return Err(displaced()),
            Ok(true) => keeper.pass(Step::Settled).err().map(Cause::from),
            Err(error) => Some(error.into()),
        },
        Ok(Outcome::Changed(texts)) => {
            store.settle_revision(&applied.revision, Settled::Dropped, now)?;
            return Err(yielded(keeper, subject, &key, &place, last, texts, &draft)?);
        }
        Err(error) => {
            // The file is the old one or the new one; the record follows it.
            let recovered = recover(keeper, subject, &key, &place, lock.place, now);
            let is_made = match recovered.and_then(|_| Ok(store.revision(&key, &applied.revision.sealed.id)?)) {
                Ok(recorded) => recorded.is_some(),
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

/// Records what somebody saved while the change was made, which therefore was not. Returns the conflict.
fn yielded(
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

fn unwritable(keeper: &Keeper, subject: &dyn Subject, error: std::io::Error) -> Error {
    Error::Unwritable(keeper.roots.shown(&subject.path().join(subject.file())), error)
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
        // What cannot be read is refused with the diagnostics that `inspect` shows.
        error => {
            let mut soul = subject.resolve(keeper, chosen, Text::OnDisk);
            soul.is_unavailable |= error.is_of_machine();
            souls::Error::Invalid(Box::new(soul)).into()
        }
    }
}

/// Records what others did to the file, before anything of it can be lost. Returns the last revision.
fn adopt(
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
        actor: Party::new("outside", ""),
        origin: origin.clone(),
        now,
    };
    let revision = store.append_revision(&draft, None)?.ok_or_else(|| Error::Displaced(subject.owner()))?;
    // A soul that is in use is never changed for what is found in it; an event reports it.
    let report = current.bytes.as_deref().map(|bytes| scanned(&current.soul.source_path, bytes));
    if let Some(report) = report.filter(|report| !report.passed()) {
        report_poison(store, &revision, &report.findings, now)?;
    }
    Ok(Some(revision))
}

/// Scans a text as a stranger's: what the text itself says about the scanner does not count.
fn scanned(path: &str, bytes: &[u8]) -> Report {
    scan_as(&[File { path, bytes }], Trust::Stranger)
}

fn report_poison(store: &dyn Store, revision: &Revision, findings: &[Finding], now: Time) -> Result<(), Error> {
    Ok(store.append_event(&NewEvent::for_poison(revision, findings), now)?)
}

/// A text that may stand in its place.
struct Checked {
    snapshot: Option<NewSnapshot>,
    /// What the scanner found; none of a text that is not there or came with the program.
    report: Option<Report>,
}

/// Validates and scans the text that a soul has in its place.
fn check(
    keeper: &Keeper,
    subject: &dyn Subject,
    key: &SoulKey,
    soul: Resolved,
    body: Option<&[u8]>,
    change: &Change,
) -> Result<(Resolved, Checked), Error> {
    let snapshot = match body {
        Some(bytes) if bytes.len() > MAX_ADOPTED => return Err(Error::TooLargeToKeep),
        Some(_) if !soul.is_valid() => return Err(souls::Error::Invalid(Box::new(soul)).into()),
        Some(_) => Some(subject.capture(keeper, key, &soul)?),
        // What is wrong beside a soul does not keep it from being removed.
        None => None,
    };
    let report = body.filter(|bytes| !is_built_in(bytes)).map(|bytes| scanned(&soul.source_path, bytes));
    match report {
        Some(report) if !report.passed() && keeper.settings.on_write == OnWrite::Refuse && change.force.is_none() => {
            Err(Error::Poisoned(soul.source_path, Box::new(report)))
        }
        report => Ok((soul, Checked { snapshot, report })),
    }
}

/// Whether a soul is pinned to this dialect already. A record of an earlier version may not say it itself.
fn is_pinned_to(
    store: &dyn Store,
    last: &Revision,
    key: &SoulKey,
    dialect: Option<Dialect>,
) -> Result<bool, store::Error> {
    match last.sealed.dialect {
        None => Ok(store.pinned_dialect(key)? == dialect),
        pinned => Ok(pinned == dialect),
    }
}

fn compare(
    store: &dyn Store,
    key: &SoulKey,
    current: &Current,
    last: Option<&Revision>,
    expected: Option<&ExpectedDigest>,
    expected_revision: Option<&RevisionId>,
) -> Result<(), Error> {
    match expected_revision {
        Some(id) if last.map(|last| &last.sealed.id) != Some(id) => {
            return Err(current.conflict(Conflict::OtherRevision));
        }
        // A revision names the bytes as exactly as a digest does.
        Some(_) if expected.is_none() => return Ok(()),
        _ => {}
    }
    let (meaning, seen) = (current.soul.digest, current.seen());
    match (seen, expected) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(current.conflict(Conflict::Absent)),
        (Some(_), None) => Err(current.conflict(Conflict::DigestRequired)),
        (Some(_), Some(ExpectedDigest::Part(part))) if is_ambiguous(store, key, part, meaning, seen)? => {
            Err(current.conflict(Conflict::DigestAmbiguous(part.to_string())))
        }
        (raw, Some(expected)) if expected.matches(meaning, raw) => Ok(()),
        (raw, Some(expected)) if expected.is_too_short(meaning, raw) => {
            Err(current.conflict(Conflict::DigestTooShort(expected.to_string())))
        }
        (Some(_), Some(_)) => Err(current.conflict(Conflict::Stale)),
    }
}

/// Whether the beginning of a digest fits this soul and another text of its record too.
fn is_ambiguous(
    store: &dyn Store,
    key: &SoulKey,
    part: &DigestPart,
    meaning: Option<Digest>,
    bytes: Option<RawDigest>,
) -> Result<bool, Error> {
    if !part.begins(meaning, bytes) {
        return Ok(false);
    }
    let own = [meaning.map(|digest| digest.to_string()), bytes.map(|digest| digest.to_string())];
    let start = format!("sha256:{}", part.hex());
    let found = store.beginning_with(Among::Digests(key), &start, own.len() + 1)?;
    Ok(found.into_iter().any(|digest| part.is_start_of(&digest) && !own.contains(&Some(digest))))
}

/// The revision of a soul that a caller means.
pub(crate) fn named(store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<RevisionId, Error> {
    references::revision(store, key, id)??.ok_or_else(|| Error::RevisionNotFound(id.clone()))
}

/// The revision whose text comes back, if one does. That there is none by its name is an error only for a caller that
/// has seen the soul.
type Goal = Option<Result<RevisionId, Error>>;

fn goal(
    store: &dyn Store,
    subject: &dyn Subject,
    key: &SoulKey,
    intent: &Intent,
    last: Option<&Revision>,
    current: &Current,
) -> Result<Goal, Error> {
    Ok(match intent {
        Intent::Rollback(id) => Some(named(store, key, id)),
        Intent::Undo => {
            let found = undo::goal(store, key, last, current.raw())?;
            Some(found.ok_or_else(|| Error::NothingToUndo(subject.owner())))
        }
        Intent::Put(_) | Intent::Delete | Intent::Record => None,
    })
}

/// What is recorded: the bytes that will be in place, and the dialect that is pinned from then on.
struct Proposal {
    action: Action,
    body: Option<Vec<u8>>,
    chosen: Option<Chosen>,
}

fn proposal(
    store: &dyn Store,
    key: &SoulKey,
    change: &Change,
    goal: Goal,
    chosen: Option<Chosen>,
) -> Result<Proposal, Error> {
    let requested = change.dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Request));
    match (&change.intent, goal.transpose()?) {
        (Intent::Put(bytes), _) => {
            Ok(Proposal { action: Action::Put, body: Some(bytes.clone()), chosen: requested.or(chosen) })
        }
        // A text comes back in the dialect that it was written in.
        (_, Some(id)) => {
            let Earlier { body, dialect } = earlier(store, key, &id)?;
            let recorded = dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Pin));
            Ok(Proposal { action: Action::Rollback, body: Some(body), chosen: recorded.or(chosen) })
        }
        (_, None) => Ok(Proposal { action: Action::Delete, body: None, chosen }),
    }
}

/// What a text of a revision means in its place.
pub(crate) fn recorded_soul(
    keeper: &Keeper,
    subject: &dyn Subject,
    body: Option<&[u8]>,
    dialect: Option<Dialect>,
) -> Resolved {
    let chosen = dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Pin));
    let Some(bytes) = body else { return subject.resolve(keeper, chosen, Text::Absent) };
    let file = subject.file_for(bytes, dialect);
    subject.resolve(keeper, chosen, Text::Proposed { file: &file, bytes })
}

/// The text of an earlier revision.
pub(crate) struct Earlier {
    pub(crate) body: Vec<u8>,
    pub(crate) dialect: Option<Dialect>,
}

pub(crate) fn earlier(store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<Earlier, Error> {
    let missing = || Error::RevisionNotFound(id.clone());
    let revision = store.revision(key, id)?.ok_or_else(missing)?;
    let body = revision.body.ok_or_else(|| Error::RevisionWithoutText(id.clone()))?;
    // A record of an earlier version names no dialect, but its snapshot does.
    let dialect = match (revision.sealed.dialect, &revision.sealed.snapshot_id) {
        (None, Some(snapshot)) => store.snapshot(snapshot)?.map(|snapshot| snapshot.profile.dialect),
        (dialect, _) => dialect,
    };
    Ok(Earlier { body, dialect })
}

/// Whether the file is the one that was expected, without a change.
pub(crate) fn check_expected(
    keeper: &Keeper,
    store: &dyn Store,
    key: &SoulKey,
    agent: &Agent,
    expected: &ExpectedDigest,
) -> Result<(), Error> {
    let chosen = keeper.chosen_dialect(agent)?;
    let current = read(keeper, agent, &FilePlace::new(keeper, agent), chosen)?;
    compare(store, key, &current, None, Some(expected), None)
}

/// Writes the soul of an agent that may not exist yet.
pub(crate) fn put(keeper: &Keeper, name: &AgentName, create: bool, change: Change) -> Result<Applied, Error> {
    let (agent, created) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) if create => create_agent(keeper, &name, None)?,
        found => (found?, None),
    };
    apply_to(keeper, &agent, created, change)
}

/// Brings an earlier soul of an agent back. If the agent's directory is gone and its record is there, the directory is
/// made again.
pub(crate) fn roll_back(keeper: &Keeper, name: &AgentName, change: Change) -> Result<Applied, Error> {
    let (agent, created) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) => {
            let scope = keeper.known_key(&name)?.map(|key| key.scope);
            create_agent(keeper, &name, scope.as_deref())?
        }
        found => (found?, None),
    };
    apply_to(keeper, &agent, created, change)
}

/// A directory that was made for a text which was refused goes again, unless somebody has put something there.
fn apply_to(keeper: &Keeper, agent: &Agent, created: Option<Creation>, change: Change) -> Result<Applied, Error> {
    apply(keeper, agent, change).inspect_err(|_| {
        if created.is_some() {
            let _ = std::fs::remove_dir(&agent.path);
        }
    })
}

/// Makes the directory of an agent. The home comes first, with the store, so that nobody else can read it.
fn create_agent(keeper: &Keeper, name: &AgentName, scope: Option<&str>) -> Result<(Agent, Option<Creation>), Error> {
    keeper.store()?;
    let created = keeper.roots.create_agent(&keeper.settings.discovery, name, scope);
    let created = created.map_err(|error| Error::Unwritable(format!("the directory of {name}"), error))?;
    Ok((created.0, Some(created.1)))
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
