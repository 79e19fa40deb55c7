//! Who changed a soul, when, and to what.

use serde::{Deserialize, Serialize};

use super::{Error, Grant, LONGEST_PAGE};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::store::Revision;
use crate::workspace::{AgentName, SoulKey};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// How many revisions a page has if nothing is said.
pub const DEFAULT_LIMIT: usize = 50;

/// Whose history, and which part of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The most revisions.
    pub limit: usize,
    /// Where the last page ended.
    pub cursor: Option<String>,
    /// Whether the texts are wanted too.
    pub bodies: bool,
    /// Whether what changed is wanted too.
    pub diffs: bool,
}

/// A page of revisions, newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The revisions.
    pub revisions: Vec<Entry>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// One revision of a page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// What is recorded.
    #[serde(flatten)]
    pub revision: Revision,
    /// The text afterwards, if it was asked for and there is one. What is not UTF-8 in it is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What changed in the text, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// Reads a page of an agent's history. An agent that is gone still has one.
///
/// # Errors
/// When there is no such agent and never was, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, limit, cursor, bodies, diffs } = request;
    let page = Page { limit, cursor, bodies, diffs };
    let Some(key) = keeper.known_key(&agent)? else { return page.of(keeper, None) };
    if let Ok(agent) = keeper.agent(&agent) {
        recover_if_idle(keeper, &agent, &key)?;
    }
    page.of(keeper, Some(&key))
}

/// Which part of a history.
pub(super) struct Page {
    pub(super) limit: usize,
    pub(super) cursor: Option<String>,
    pub(super) bodies: bool,
    pub(super) diffs: bool,
}

impl Page {
    /// The page of a soul's history; one that was never recorded has none.
    pub(super) fn of(self, keeper: &Keeper, key: Option<&SoulKey>) -> Result<Response, Error> {
        let before = self
            .cursor
            .filter(|cursor| !cursor.is_empty())
            .map(|cursor| cursor.parse::<i64>().map_err(|_| Error::BadCursor(cursor)))
            .transpose()?;
        let (Some(key), Some(store)) = (key, keeper.existing_store()?) else {
            return Ok(Response { revisions: Vec::new(), next_cursor: None });
        };
        // One more than was asked for shows whether there is a next page, and what the last one changed.
        let wanted = self.limit.min(LONGEST_PAGE) + 1;
        let mut found = store.history(key, before, wanted, self.bodies || self.diffs)?;
        let more = found.len() == wanted;
        let earlier = if more { found.pop() } else { None };
        let next_cursor = found.last().filter(|_| more).map(|last| last.sealed.seq.to_string());
        let text =
            |revision: &Revision| revision.body.as_deref().map(|body| String::from_utf8_lossy(body).into_owned());
        let diff = |index: usize| {
            let before = found.get(index + 1).or(earlier.as_ref()).and_then(text).unwrap_or_default();
            super::diff::unified(&before, &text(&found[index]).unwrap_or_default())
        };
        let diffs: Vec<_> = (0..found.len()).map(|index| self.diffs.then(|| diff(index))).collect();
        let revisions = found.into_iter().zip(diffs).map(|(revision, diff)| {
            let body = text(&revision).filter(|_| self.bodies);
            Entry { body, diff, revision }
        });
        Ok(Response { revisions: revisions.collect(), next_cursor })
    }
}
