//! Whether a soul is the one that the caller has seen.

use soul_core::digest::{Digest, RawDigest};

use super::{Conflict, Current, Error, place_of, read};
use crate::Keeper;
use crate::fields::{DigestPart, ExpectedDigest};
use crate::ids::RevisionId;
use crate::store::{Among, Revision, Store};
use crate::workspace::{Agent, SoulKey};

pub(super) fn compare(
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
pub(super) fn is_ambiguous(
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

/// Whether the file is the one that was expected, without a change.
pub(crate) fn check_expected(
    keeper: &Keeper,
    store: &dyn Store,
    key: &SoulKey,
    agent: &Agent,
    expected: &ExpectedDigest,
) -> Result<(), Error> {
    let chosen = keeper.chosen_dialect(agent)?;
    let current = read(keeper, agent, &*place_of(keeper, agent)?, chosen)?;
    compare(store, key, &current, None, Some(expected), None)
}
