//! Who changed an agent's soul, when, and how.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::{DiffBudget, unified_diff};

use super::revision::{RecordedRevision, source_path};
use super::{Error, Hints, Load, Operation};
use crate::authoring::recover_if_idle;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Cursor, Limit, given};
use crate::store::{Revision, Store};
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

    fn load(&self) -> Load {
        if self.diffs { Load::Slow } else { Load::Quick }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, limit, cursor, bodies, diffs } = self;
        let keeper = context.keeper;
        let page = Page { limit, cursor, bodies, diffs };
        let Some(key) = keeper.known_key(&agent)? else { return page.read(context, None) };
        if let Ok(agent) = keeper.agent(&agent) {
            recover_if_idle(keeper, &agent, &key)?;
        }
        page.read(context, Some(&key))
    }
}

/// Which part of a history.
pub(crate) struct Page {
    pub(crate) limit: Limit,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) bodies: bool,
    pub(crate) diffs: bool,
}

/// How much a page with diffs may compute: some tenths of a second.
const STEPS: u64 = 128_000_000;

/// How many bytes of texts and diffs make a page full.
const BYTES: usize = 8 << 20;

/// How many texts are in memory at once.
const TEXTS: usize = 8;

impl Page {
    /// The page of a soul's history; one that was never recorded has none. It ends before its limit when it has
    /// become too large or took too much work; the cursor leads on.
    pub(crate) fn read(self, context: &Context<'_>, key: Option<&SoulKey>) -> Result<Response, Error> {
        let before = self.cursor.map(|cursor| cursor.seq()).transpose()?;
        let mut page = Response { revisions: Vec::new(), next_cursor: None };
        let (Some(key), Some(store)) = (key, context.keeper.existing_store()?) else { return Ok(page) };
        let with_texts = self.bodies || self.diffs;
        let mut records = Records { store, key, before, with_texts, read: VecDeque::new(), left: self.limit.and_one() };
        let source_path = source_path(context.keeper, key);
        let text =
            |revision: &Revision| revision.body.as_deref().map(|body| String::from_utf8_lossy(body).into_owned());
        let (mut steps, mut bytes) = (DiffBudget::new(STEPS), 0);
        let mut next = records.next()?;
        while let Some(revision) = next {
            context.progress.check_awaited()?;
            let last = page.revisions.last().map(|last: &Entry| Cursor::new(last.revision.sealed.seq));
            if page.revisions.len() == self.limit.get() || steps.is_spent() {
                page.next_cursor = last;
                break;
            }
            // The one before it, which may be on the next page, shows what it changed.
            let earlier = records.next()?;
            let body = text(&revision);
            let diff = self.diffs.then(|| {
                let before = earlier.as_ref().and_then(text).unwrap_or_default();
                unified_diff(&before, body.as_deref().unwrap_or_default(), &mut steps)
            });
            let body = body.filter(|_| self.bodies);
            bytes += body.as_ref().map_or(0, String::len) + diff.as_ref().map_or(0, String::len);
            // The first one is on the page however large it is.
            if bytes > BYTES && last.is_some() {
                page.next_cursor = last;
                break;
            }
            let revision = RecordedRevision::new(revision, source_path.clone());
            page.revisions.push(Entry { revision, body, diff });
            next = earlier;
        }
        Ok(page)
    }
}

/// The revisions of a soul, newest first; those with texts a few at a time.
struct Records<'a> {
    store: &'a dyn Store,
    key: &'a SoulKey,
    before: Option<i64>,
    with_texts: bool,
    read: VecDeque<Revision>,
    /// How many more are wanted.
    left: usize,
}

impl Records<'_> {
    fn next(&mut self) -> Result<Option<Revision>, Error> {
        if self.read.is_empty() && self.left > 0 {
            let count = if self.with_texts { self.left.min(TEXTS) } else { self.left };
            self.read = self.store.history(self.key, self.before, count, self.with_texts)?.into();
            self.left = if self.read.is_empty() { 0 } else { self.left.saturating_sub(self.read.len()) };
            self.before = self.read.back().map(|revision| revision.sealed.seq);
        }
        Ok(self.read.pop_front())
    }
}
