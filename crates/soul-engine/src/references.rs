//! What a caller may call a row: by its id, by the beginning of its id, or a revision by how far back it is.

use crate::fault::{Fault, Kind};
use crate::fields::MIN_PART;
use crate::ids::{MutationId, ProposalId, RevisionId, RunId, SessionId, TokenId};
use crate::store::{self, Among, Store};
use crate::workspace::SoulKey;

/// How many characters an id has after its word.
const ULID: usize = 26;

/// The most ids that a message names.
const NAMED: usize = 5;

/// Why a name says too little.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Fewer characters than a name must have.
    #[error("`{typed}` is too short to name a {what}")]
    TooShort {
        /// What is named.
        what: &'static str,
        /// The name.
        typed: String,
    },
    /// Several ids begin with it.
    #[error("`{typed}` names more than one {what}: {}", .ids.join(", "))]
    Ambiguous {
        /// What is named.
        what: &'static str,
        /// The name.
        typed: String,
        /// Some of those that it may name.
        ids: Vec<String>,
    },
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::TooShort { .. } => Fault::new(
                Kind::Usage,
                "reference_too_short",
                format!("give at least {MIN_PART} characters after the `_` of the id"),
            ),
            Self::Ambiguous { .. } => Fault::new(Kind::Usage, "reference_ambiguous", "give more characters of the id"),
        }
    }
}

/// A name that was looked up: the id, if there is one, and whether the store could tell.
type Found<T> = Result<Result<Option<T>, Error>, store::Error>;

/// The revision of a soul that a caller means: an id or the beginning of one, with `rev_` or without it; `@` is the last
/// recorded one, `@-` the one before it, `@-2` the one before that.
pub(crate) fn revision(store: &dyn Store, key: &SoulKey, typed: &RevisionId) -> Found<RevisionId> {
    let Some(steps) = steps_back(typed.as_str()) else {
        return full(store, Among::Revisions(key), "revision", "rev_", typed.as_str());
    };
    let Some(steps) = steps else { return Ok(Ok(None)) };
    let last = store.tail(key)?.last;
    let Some(seq) = last.map(|last| last.sealed.seq - steps) else { return Ok(Ok(None)) };
    let found = store.history(key, Some(seq + 1), 1, false)?.pop();
    Ok(Ok(found.filter(|revision| revision.sealed.seq == seq).map(|revision| revision.sealed.id)))
}

/// How many revisions back `@`, `@-` and `@-2` are; `Some(None)` for what only looks like one of them.
fn steps_back(typed: &str) -> Option<Option<i64>> {
    Some(match typed.trim().strip_prefix('@')? {
        "" => Some(0),
        "-" => Some(1),
        rest => rest.strip_prefix('-').and_then(|steps| steps.parse::<u32>().ok()).map(i64::from),
    })
}

/// The session that a caller means.
pub(crate) fn session(store: &dyn Store, typed: &SessionId) -> Found<SessionId> {
    full(store, Among::Sessions, "session", "sess_", typed.as_str())
}

/// Whether an id is a whole one, which always means the same session.
pub(crate) fn is_whole(id: &SessionId) -> bool {
    let ulid = id.as_str().strip_prefix("sess_").unwrap_or_default();
    ulid.len() == ULID && ulid.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// The run that a caller means.
pub(crate) fn run(store: &dyn Store, typed: &RunId) -> Found<RunId> {
    full(store, Among::Runs, "run", "run_", typed.as_str())
}

/// The step of a persona that a caller means.
pub(crate) fn mutation(store: &dyn Store, key: &SoulKey, typed: &MutationId) -> Found<MutationId> {
    full(store, Among::Mutations(key), "step", "mut_", typed.as_str())
}

/// The token that a caller means.
pub(crate) fn token(store: &dyn Store, typed: &TokenId) -> Found<TokenId> {
    full(store, Among::Tokens, "token", "tok_", typed.as_str())
}

/// The proposal that a caller means.
pub(crate) fn proposal(store: &dyn Store, typed: &ProposalId) -> Found<ProposalId> {
    full(store, Among::Proposals, "proposal", "prop_", typed.as_str())
}

fn full<T: From<String>>(store: &dyn Store, among: Among<'_>, what: &'static str, word: &str, typed: &str) -> Found<T> {
    let trimmed = typed.trim();
    let has_word = trimmed.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let part = if has_word { &trimmed[word.len()..] } else { trimmed };
    if part.is_empty() || part.len() > ULID || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(Ok(None));
    }
    let start = format!("{word}{}", part.to_ascii_uppercase());
    if part.len() == ULID {
        return Ok(Ok(Some(start.into())));
    }
    let mut ids = store.beginning_with(among, &start, NAMED)?;
    let typed = || soul_core::text::visible(typed);
    Ok(match ids.len() {
        0 => Ok(None),
        _ if part.len() < MIN_PART => Err(Error::TooShort { what, typed: typed() }),
        1 => Ok(ids.pop().map(Into::into)),
        _ => Err(Error::Ambiguous { what, typed: typed(), ids }),
    })
}

#[cfg(test)]
mod tests {
    use super::steps_back;

    #[test]
    fn revisions_are_counted_back_from_the_last_one() {
        let names = ["@", "@-", "@-1", "@-2", "@-12"];
        assert_eq!(names.map(|name| steps_back(name).unwrap()), [Some(0), Some(1), Some(1), Some(2), Some(12)]);
        assert_eq!(["@+1", "@--", "@-x", "@1"].map(|name| steps_back(name).unwrap()), [None; 4]);
        assert_eq!(steps_back("rev_01M7HE"), None);
    }
}
