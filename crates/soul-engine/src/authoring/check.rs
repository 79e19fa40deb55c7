//! What a text must pass before it is recorded.

use soul_core::model::Dialect;
use soul_core::scan::{File, Finding, Report, Trust, scan_as};

use super::{Change, Error, MAX_ADOPTED, Subject, is_refused};
use crate::Keeper;
use crate::clock::Time;
use crate::fields::NonBlank;
use crate::souls::built_in::is_built_in;
use crate::souls::{self, Resolved};
use crate::store::{self, NewEvent, NewSnapshot, Party, Revision, Store};
use crate::workspace::SoulKey;

/// A text that may stand in its place.
pub(super) struct Checked {
    pub(super) snapshot: Option<NewSnapshot>,
    /// What the scanner found; none of a text that is not there or came with the program.
    pub(super) report: Option<Report>,
}

/// Validates and scans the text that a soul has in its place.
pub(super) fn check(
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
    let report =
        body.map(|bytes| admit(keeper, &soul, bytes, &change.author.actor, change.force.as_ref())).transpose()?;
    Ok((soul, Checked { snapshot, report: report.flatten() }))
}

/// Scans the text of a soul, and refuses what an actor may not write. A text that came with the program is not scanned.
pub(crate) fn admit(
    keeper: &Keeper,
    soul: &Resolved,
    bytes: &[u8],
    actor: &Party,
    force: Option<&NonBlank>,
) -> Result<Option<Report>, Error> {
    if is_built_in(bytes) {
        return Ok(None);
    }
    let report = scanned(&soul.source_path, bytes);
    if is_refused(keeper, &report, actor, force) {
        return Err(Error::Poisoned(soul.source_path.clone(), Box::new(report)));
    }
    Ok(Some(report))
}

/// Whether a soul is pinned to this dialect already. A record of an earlier version may not say it itself.
pub(super) fn is_pinned_to(
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

/// Scans a text as a stranger's: what the text itself says about the scanner does not count.
pub(crate) fn scanned(path: &str, bytes: &[u8]) -> Report {
    scan_as(&[File { path, bytes }], Trust::Stranger)
}

pub(super) fn report_poison(
    store: &dyn Store,
    revision: &Revision,
    findings: &[Finding],
    now: Time,
) -> Result<(), Error> {
    Ok(store.append_event(&NewEvent::for_poison(revision, findings), now)?)
}
