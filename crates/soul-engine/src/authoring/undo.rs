//! What `undo` goes back to.

use soul_core::digest::RawDigest;

use super::{Error, Subject, compare, place_of, read, recover_if_idle};
use crate::Keeper;
use crate::fields::ExpectedDigest;
use crate::ids::RevisionId;
use crate::souls;
use crate::store::{Action, Revision, Store};
use crate::workspace::{Agent, SoulKey};

/// The operation that goes on record as the origin of what it brings back.
pub(crate) const OPERATION: &str = "undo";

/// The revision whose text was in place before the last change: the last one, if the file was changed since; else the
/// one before the last change that was not taken back yet. `None` if there was no text before.
pub(super) fn goal(
    store: &dyn Store,
    key: &SoulKey,
    last: Option<&Revision>,
    file: Option<RawDigest>,
) -> Result<Option<RevisionId>, Error> {
    let with_text = |revision: &Revision| revision.sealed.raw_digest.map(|_| revision.sealed.id.clone());
    let Some(last) = last else { return Ok(None) };
    if last.sealed.raw_digest != file {
        return Ok(with_text(last));
    }
    let before = match is_undo(last) {
        true => before_all_undone(store, key)?,
        false => store.history(key, Some(last.sealed.seq), 1, false)?.pop(),
    };
    Ok(before.as_ref().and_then(with_text))
}

fn is_undo(revision: &Revision) -> bool {
    revision.sealed.action == Action::Rollback && revision.sealed.origin.name == OPERATION
}

/// The revision before the last change that was not taken back, where the last one took one back.
fn before_all_undone(store: &dyn Store, key: &SoulKey) -> Result<Option<Revision>, Error> {
    const PAGE: usize = 1000;
    let mut revisions: Vec<Revision> = Vec::new();
    loop {
        let before = revisions.last().map(|oldest| oldest.sealed.seq);
        let page = store.history(key, before, PAGE, false)?;
        if page.is_empty() {
            break;
        }
        revisions.extend(page);
    }
    revisions.reverse();
    // The change that stands after each revision: its own, or after an undo the one before the change that it took back.
    let mut standing: Vec<usize> = Vec::with_capacity(revisions.len());
    for (index, revision) in revisions.iter().enumerate() {
        let taken_back = standing.last().copied().filter(|_| is_undo(revision));
        let stands = taken_back.and_then(|taken_back| standing.get(taken_back.checked_sub(1)?).copied());
        standing.push(stands.unwrap_or(index));
    }
    let before = standing.last().and_then(|last| last.checked_sub(1));
    Ok(before.map(|before| revisions.swap_remove(before)))
}

/// What an undo would go back to, without a change.
pub(crate) fn undo_goal(
    keeper: &Keeper,
    agent: &Agent,
    expected: Option<&ExpectedDigest>,
) -> Result<RevisionId, Error> {
    let nothing = || Error::NothingToUndo(agent.owner());
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(nothing)?;
    let store = keeper.existing_store()?.ok_or_else(nothing)?;
    recover_if_idle(keeper, agent, &key)?;
    let current = read(keeper, agent, &*place_of(keeper, agent)?, keeper.chosen_dialect(agent)?)?;
    if let Some(expected) = expected {
        compare(store, &key, &current, None, Some(expected), None)?;
    }
    goal(store, &key, store.tail(&key)?.last.as_ref(), current.raw())?.ok_or_else(nothing)
}
