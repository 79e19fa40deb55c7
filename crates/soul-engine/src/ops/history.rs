//! Who changed an agent's soul, when, and how.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::revision::{RecordedRevision, source_path};
use super::{Error, Hints, Operation, diff};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Cursor, Limit, given};
use crate::store::Revision;
use crate::workspace::{AgentName, SoulKey};

/// List the recorded changes of an agent's soul, newest first. An agent that is gone still has a history.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The largest number of revisions.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// Include the text of each revision.
    #[serde(default)]
    pub bodies: bool,
    /// Include what each revision changed in the text.
    #[serde(default)]
    pub diffs: bool,
}

/// A page of revisions, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "HistoryPage")]
pub struct Response {
    /// The revisions.
    pub revisions: Vec<Entry>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<Cursor>,
}

/// A revision in a page of history.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "HistoryEntry")]
pub struct Entry {
    /// The record.
    #[serde(flatten)]
    pub revision: RecordedRevision,
    /// The text afterwards, if it was asked for and there is one. Bytes that are not UTF-8 are replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What changed in the text, as a unified diff, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

impl Operation for Request {
    const NAME: &'static str = "history";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, limit, cursor, bodies, diffs } = self;
        let keeper = context.keeper;
        let page = Page { limit, cursor, bodies, diffs };
        let Some(key) = keeper.known_key(&agent)? else { return page.read(keeper, None) };
        if let Ok(agent) = keeper.agent(&agent) {
            recover_if_idle(keeper, &agent, &key)?;
        }
        page.read(keeper, Some(&key))
    }
}

/// Which part of a history.
pub(crate) struct Page {
    pub(crate) limit: Limit,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) bodies: bool,
    pub(crate) diffs: bool,
}

impl Page {
    /// The page of a soul's history; one that was never recorded has none.
    pub(crate) fn read(self, keeper: &Keeper, key: Option<&SoulKey>) -> Result<Response, Error> {
        let before = self.cursor.map(|cursor| cursor.seq()).transpose()?;
        let (Some(key), Some(store)) = (key, keeper.existing_store()?) else {
            return Ok(Response { revisions: Vec::new(), next_cursor: None });
        };
        let mut found = store.history(key, before, self.limit.and_one(), self.bodies || self.diffs)?;
        // The one after the page also shows what the last one on it changed.
        let earlier = self.limit.cut(&mut found);
        let next_cursor = found.last().filter(|_| earlier.is_some()).map(|last| Cursor::new(last.sealed.seq));
        let text =
            |revision: &Revision| revision.body.as_deref().map(|body| String::from_utf8_lossy(body).into_owned());
        let diff = |index: usize| {
            let before = found.get(index + 1).or(earlier.as_ref()).and_then(text).unwrap_or_default();
            diff::unified(&before, &text(&found[index]).unwrap_or_default())
        };
        let diffs: Vec<_> = (0..found.len()).map(|index| self.diffs.then(|| diff(index))).collect();
        let source_path = source_path(keeper, key);
        let revisions = found.into_iter().zip(diffs).map(|(revision, diff)| {
            let body = text(&revision).filter(|_| self.bodies);
            Entry { body, diff, revision: RecordedRevision::new(revision, source_path.clone()) }
        });
        Ok(Response { revisions: revisions.collect(), next_cursor })
    }
}
