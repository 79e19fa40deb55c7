//! Who changed an agent's soul, when, and how.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats;
use soul_core::model::{Change, Soul, changes, summary};
use soul_core::sigil::{Part, Parts};
use soul_core::text::{DiffBudget, Source, unified_diff};

use super::revision::{RecordedRevision, source_path};
use super::{Error, Hints, Load, Operation, status};
use crate::Keeper;
use crate::authoring::{Subject, recorded_soul, recover_if_idle};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Cursor, Limit, given};
use crate::ids::RevisionId;
use crate::souls::{self, Loader, Text};
use crate::store::{Revision, Store};
use crate::workspace::{Agent, AgentName, SoulKey};

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
    /// What was changed in the file since the last revision, in a line of meaning. On the first page only; absent if the
    /// file is as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrecorded_change: Option<String>,
    /// The colour of the soul's sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// The parts of the soul as its file has it now. On the first page only; absent if there is nothing to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_parts: Option<Parts>,
}

/// A revision in a page of history.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "HistoryEntry")]
pub struct Entry {
    /// The record.
    #[serde(flatten)]
    pub revision: RecordedRevision,
    /// What it changed, in a line of meaning; absent where the texts of the page are too long to compare all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The digest of each part of the text, read with the files beside it as they are today; absent if there is no text,
    /// and after the first hundred of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The parts that it changed; absent after the first hundred of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_parts: Option<Vec<Part>>,
    /// Whether it loosens the soul: what bounds the agent was removed or changed, or a tool was added; absent like the
    /// summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loosens: Option<bool>,
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
        if self.diffs || self.limit > Limit::DEFAULT { Load::Slow } else { Load::Quick }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, limit, cursor, bodies, diffs } = self;
        let keeper = context.keeper;
        let page = Page { limit, cursor, bodies, diffs };
        let found = keeper.agent(&agent).ok();
        let Some(key) = keeper.known_key(&agent)? else {
            let hue = found.map_or(0, |agent| agent.hue());
            return Ok(Response { hue, ..page.read(context, None, None)? });
        };
        let (mut unrecorded_change, mut current_parts) = (None, None);
        if let Some(agent) = &found {
            recover_if_idle(keeper, agent, &key)?;
            if page.cursor.is_none() {
                unrecorded_change = status::unrecorded_change(keeper, agent)?;
                let now = Loader::chosen(keeper, keeper.chosen_dialect(agent)?).agent(agent, Text::OnDisk);
                current_parts = now.document.map(|_| Parts::of(&now.soul));
            }
        }
        let subject = found.as_ref().map(|agent| -> &dyn Subject { agent });
        Ok(Response { unrecorded_change, current_parts, ..page.read(context, Some(&key), subject)? })
    }
}

/// What the last revision of an agent changed, in a line.
pub(super) fn last_meaning(keeper: &Keeper, agent: &Agent, id: &RevisionId) -> Result<Option<String>, Error> {
    keeper.meanings.get(id.clone(), || {
        let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
        let (Some(key), Some(store)) = (key, keeper.existing_store()?) else { return Ok(None) };
        let mut last = store.history(&key, None, 2, true)?.into_iter();
        let (Some(revision), earlier) = (last.next().filter(|last| last.sealed.id == *id), last.next()) else {
            return Ok(None);
        };
        let meant = Meanings::new(keeper, Some(agent)).of(&revision, earlier.as_ref());
        Ok(meant.map(|meant| meant.summary))
    })
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

/// How many bytes of texts are compared for their summaries.
const SUMMARIZED: usize = 4 << 20;

/// How many texts of a page are read with the files beside them, each from the disk.
const RESOLVED: usize = 100;

/// How many texts are in memory at once.
const TEXTS: usize = 8;

impl Page {
    /// The page of a soul's history; one that was never recorded has none. It ends before its limit when it has
    /// become too large or took too much work; the cursor leads on.
    pub(crate) fn read(
        self,
        context: &Context<'_>,
        key: Option<&SoulKey>,
        subject: Option<&dyn Subject>,
    ) -> Result<Response, Error> {
        let before = self.cursor.map(|cursor| cursor.seq()).transpose()?;
        let mut page = Response {
            revisions: Vec::new(),
            next_cursor: None,
            unrecorded_change: None,
            hue: key.map_or(0, SoulKey::hue),
            current_parts: None,
        };
        let (Some(key), Some(store)) = (key, context.keeper.existing_store()?) else { return Ok(page) };
        let (with_texts, left) = (true, self.limit.and_one());
        let mut records = Records { store, key, before, with_texts, read: VecDeque::new(), left };
        let mut meanings = Meanings::new(context.keeper, subject);
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
            let meant = meanings.of(&revision, earlier.as_ref());
            records.with_texts = self.bodies || self.diffs || !meanings.are_spent();
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
            let parts = meant.as_ref().and_then(|meant| meant.parts);
            let loosens = meant.as_ref().map(|meant| meant.loosens);
            let (summary, changed_parts) =
                meant.map_or((None, None), |meant| (Some(meant.summary), meant.changed_parts));
            page.revisions.push(Entry { revision, summary, parts, changed_parts, loosens, body, diff });
            next = earlier;
        }
        Ok(page)
    }
}

/// What a revision changed.
pub(super) struct Meant {
    pub(super) summary: String,
    /// The parts afterwards; none if there is no text.
    pub(super) parts: Option<Parts>,
    /// The parts that changed; none where only the text alone was read.
    pub(super) changed_parts: Option<Vec<Part>>,
    pub(super) loosens: bool,
}

/// Says what revisions changed, until that was enough work.
pub(super) struct Meanings<'a> {
    keeper: &'a Keeper,
    /// Whose texts they are, if the files beside them can still be read.
    subject: Option<&'a dyn Subject>,
    left: usize,
    /// How many texts were read with the files beside them.
    resolved: usize,
    /// The text before the revision that was asked for last, which is the next one that is asked for, and whether it
    /// was read with the files beside it.
    parsed: Option<(RevisionId, bool, Soul)>,
}

impl<'a> Meanings<'a> {
    pub(super) const fn new(keeper: &'a Keeper, subject: Option<&'a dyn Subject>) -> Self {
        Self { keeper, subject, left: SUMMARIZED, resolved: 0, parsed: None }
    }

    const fn are_spent(&self) -> bool {
        self.left == 0
    }

    pub(super) fn of(&mut self, revision: &Revision, earlier: Option<&Revision>) -> Option<Meant> {
        if self.are_spent() {
            return None;
        }
        let with_files = self.subject.is_some() && self.resolved < RESOLVED;
        let after = match self.parsed.take() {
            Some((id, read_with_files, soul)) if id == revision.sealed.id && read_with_files == with_files => soul,
            _ => self.parse(revision, with_files),
        };
        let before = earlier.map(|earlier| self.parse(earlier, with_files)).unwrap_or_default();
        let changed = changes(&before, &after);
        let summary = match (&revision.body, earlier.and_then(|earlier| earlier.body.as_ref())) {
            (None, _) => "removed".to_owned(),
            (Some(body), Some(before)) if body == before => "same text".to_owned(),
            (Some(_), None) if earlier.is_none() => "created".to_owned(),
            (Some(_), None) => "brought back".to_owned(),
            _ => in_a_line(&changed),
        };
        let meant = (with_files || self.subject.is_none()).then(|| {
            let parts = Parts::of(&after);
            let changed_parts = parts.changed_since(&Parts::of(&before));
            (revision.body.as_ref().map(|_| parts), changed_parts)
        });
        let (parts, changed_parts) = meant.map_or((None, None), |(parts, changed)| (parts, Some(changed)));
        let loosens = earlier.is_some() && changed.iter().any(Change::loosens);
        self.parsed = earlier.map(|earlier| (earlier.sealed.id.clone(), with_files, before));
        Some(Meant { summary, parts, changed_parts, loosens })
    }

    /// What the text says, with the files beside it as they are today, which are on no record, or alone.
    fn parse(&mut self, revision: &Revision, with_files: bool) -> Soul {
        let Some(body) = &revision.body else { return Soul::default() };
        self.left = self.left.saturating_sub(body.len());
        if let Some(subject) = self.subject.filter(|_| with_files) {
            self.resolved += 1;
            return recorded_soul(self.keeper, subject, Some(body), revision.sealed.dialect).soul;
        }
        let source = Source::new(body.clone());
        let dialect = revision.sealed.dialect.unwrap_or_else(|| formats::detect(&source, None, true).dialect);
        let context = formats::Context { limits: self.keeper.settings.soul.limits, ..formats::Context::default() };
        formats::parse(source, dialect, &context).document.soul()
    }
}

/// What lies between two souls, in a line.
pub(super) fn meaning(before: &Soul, after: &Soul) -> String {
    in_a_line(&changes(before, after))
}

fn in_a_line(changes: &[Change]) -> String {
    match summary(changes) {
        same if same.is_empty() => "same meaning, different bytes".to_owned(),
        meaning => meaning,
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
