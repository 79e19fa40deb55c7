//! What is to be in place after a change.

use soul_core::model::Dialect;

use super::{Change, Current, Error, Intent, Subject, undo};
use crate::Keeper;
use crate::ids::RevisionId;
use crate::references;
use crate::souls::{Chosen, ChosenBy, Resolved, Text};
use crate::store::{Action, Revision, Store};
use crate::workspace::SoulKey;

/// The revision whose text comes back, if one does. That there is none by its name is an error only for a caller that
/// has seen the soul.
pub(super) type Goal = Option<Result<RevisionId, Error>>;

/// The revision of a soul that a caller means.
pub(crate) fn named(store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<RevisionId, Error> {
    references::revision(store, key, id)??.ok_or_else(|| Error::RevisionNotFound(id.clone()))
}

pub(super) fn goal(
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
pub(super) struct Proposal {
    pub(super) action: Action,
    pub(super) body: Option<Vec<u8>>,
    pub(super) chosen: Option<Chosen>,
}

pub(super) fn proposal(
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
        (_, None) => Ok(Proposal { action: Action::Delete, body: None, chosen: requested.or(chosen) }),
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
