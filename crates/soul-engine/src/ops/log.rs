//! What happened, in order.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use soul_core::digest::RawDigest;
use soul_core::sigil::{Part, Parts};

use super::history::{Meanings, Meant};
use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::authoring::Subject;
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::fields::{Limit, Moment, NonBlank, given, wire_schema};
use crate::ids::RevisionId;
use crate::library::member::Member;
use crate::store::{Event, EventFilter, EventKind, NewEvent, Store};
use crate::workspace::{AgentName, Kind, SoulKey};

/// List events, oldest first: every change, session and run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Events after this number. Default: the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// Events before this number: the last ones of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
    /// The largest number of events.
    #[serde(default)]
    pub limit: Limit,
    /// Only events about this agent.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// Only events of this kind, such as `soul.put`, or of this family, such as `soul`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindName>,
    /// Only events that this actor caused: a name, a kind such as `agent`, or `KIND:NAME`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub actor: Option<NonBlank<512>>,
    /// Only events from this time on.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub since: Option<Moment>,
    /// Only events before this time.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// Include what each change of a soul meant.
    #[serde(default)]
    pub changes: bool,
}

/// The name of a kind of events, or of a family of kinds: the word before the dot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct KindName(String);

/// No kind of events has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of event; the families are {}", families().join(", "))]
pub struct UnknownKind;

/// The families of kinds, each once.
fn families() -> Vec<&'static str> {
    let mut families: Vec<_> = EventKind::ALL.iter().filter_map(|kind| kind.as_str().split('.').next()).collect();
    families.dedup();
    families
}

impl KindName {
    /// Every name there is: the families, then the kinds.
    pub fn all() -> impl Iterator<Item = &'static str> {
        families().into_iter().chain(EventKind::ALL.iter().map(|kind| kind.as_str()))
    }
}

impl std::str::FromStr for KindName {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        if Self::all().any(|name| name == text) { Ok(Self(text.to_owned())) } else { Err(UnknownKind) }
    }
}

impl<'de> Deserialize<'de> for KindName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

wire_schema!(KindName, { "type": "string", "examples": ["soul.put", "soul", "session"] });

/// Events, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EventPage")]
pub struct Response {
    /// The events.
    pub events: Vec<Event>,
    /// The number to continue after.
    pub next: i64,
    /// The number to give as `before` for the page before this one; absent if this is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<i64>,
    /// What changes of souls meant, by the number of their event, if the request asks for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<i64, EventChange>,
}

/// What a change of a soul meant.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EventChange {
    /// In a line.
    pub summary: String,
    /// The digest of each part of the soul afterwards; `null` if it was removed.
    pub parts: Option<Parts>,
    /// The parts that changed.
    pub changed_parts: Vec<Part>,
    /// Whether it loosens the soul: what bounds the agent was removed or changed, or a tool was added.
    pub loosens: bool,
    /// The colour of the soul's sigil, from 0 to 11.
    pub hue: u8,
}

impl Request {
    /// Whether it leaves events out by what they are.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.filter() != EventFilter::default()
    }

    fn filter(&self) -> EventFilter {
        let time = |moment: Moment| Time::from(moment.0);
        EventFilter {
            agent: self.agent.as_ref().map(|agent| agent.as_str().to_owned()),
            kind: self.kind.as_ref().map(|kind| kind.0.clone()),
            actor: self.actor.as_ref().map(|actor| actor.as_str().to_owned()),
            since: self.since.map(time),
            until: self.until.map(time),
            before: self.before,
        }
    }

    /// Whether it asks for an event like this one.
    #[must_use]
    pub fn admits(&self, event: &Event) -> bool {
        self.filter().admits(event)
    }
}

impl Operation for Request {
    const NAME: &'static str = "log";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Some(store) = context.keeper.existing_store()? else {
            let next = self.after.unwrap_or_default();
            return Ok(Response { events: Vec::new(), next, previous: None, changes: BTreeMap::new() });
        };
        let (filter, limit) = (self.filter(), self.limit.get());
        // Before the events are read, so that none which comes meanwhile is skipped.
        let newest = store.event_before_last(&EventFilter::default(), 0)?;
        let earlier = store.event_before_last(&filter, limit)?;
        let after = self.after.unwrap_or(earlier);
        let events = store.events(&filter, after, limit)?;
        let last = events.last().map_or(after, |event| event.seq);
        // A page that is not full has everything up to the newest event, also if the filter leaves that out.
        let is_open = self.before.is_none() && self.after.is_none_or(|after| after <= newest);
        let next = if events.len() < limit && is_open { last.max(newest) } else { last };
        let previous = events.first().map(|first| first.seq).filter(|_| self.after.is_none() && earlier > 0);
        let changes = if self.changes { changes(context, store, &events)? } else { BTreeMap::new() };
        Ok(Response { events, next, previous, changes })
    }
}

/// What the events of a page changed in souls, until that was enough work.
fn changes(context: &Context<'_>, store: &dyn Store, events: &[Event]) -> Result<BTreeMap<i64, EventChange>, Error> {
    let mut found = BTreeMap::new();
    for Event { seq, event, .. } in events.iter().rev().take(MOST_CHANGES) {
        context.progress.check_awaited()?;
        let (Some(scope), true) = (&event.scope, event.kind.as_str().starts_with("soul.")) else { continue };
        let key = |kind, name: &Option<String>| Some(SoulKey { scope: scope.clone(), kind, name: name.clone()? });
        let Some(key) = key(Kind::Agent, &event.agent).or_else(|| key(Kind::Library, &event.soul)) else { continue };
        let meant = match &event.revision {
            Some(id) => of_revision(context.keeper, store, &key, id)?,
            None => of_edit(context.keeper, store, &key, event)?,
        };
        if let Some(Meant { summary, parts, changed_parts, loosens }) = meant {
            let changed_parts = changed_parts.unwrap_or_default();
            found.insert(*seq, EventChange { summary, parts, changed_parts, loosens, hue: key.hue() });
        }
    }
    Ok(found)
}

/// How many events of a page are looked into.
const MOST_CHANGES: usize = 100;

fn of_revision(keeper: &Keeper, store: &dyn Store, key: &SoulKey, id: &RevisionId) -> Result<Option<Meant>, Error> {
    let Some(revision) = store.revision(key, id)? else { return Ok(None) };
    let earlier = store.history(key, Some(revision.sealed.seq), 1, true)?.pop();
    let subject = subject(keeper, key);
    Ok(Meanings::new(keeper, subject.as_deref()).of(&revision, earlier.as_ref()))
}

/// What an edit outside changed, as long as it is what is in the file.
fn of_edit(keeper: &Keeper, store: &dyn Store, key: &SoulKey, event: &NewEvent) -> Result<Option<Meant>, Error> {
    let (Some(subject), Some(last)) = (subject(keeper, key), store.tail(key)?.last) else { return Ok(None) };
    let Some(recorded) = store.revision(key, &last.sealed.id)? else { return Ok(None) };
    let bytes = subject.directory().read(subject.file()).ok();
    if event.detail.raw_digest != bytes.as_deref().map(RawDigest::of) {
        return Ok(None);
    }
    // As if it had been recorded: the text of the file in place of that of the last revision.
    let mut edited = recorded.clone();
    edited.sealed.id = event.detail.raw_digest.map_or_else(String::new, |digest| digest.to_string()).into();
    edited.body = bytes;
    Ok(Meanings::new(keeper, Some(&*subject)).of(&edited, Some(&recorded)))
}

/// Whose soul it is, if that is still there.
fn subject(keeper: &Keeper, key: &SoulKey) -> Option<Box<dyn Subject>> {
    match key.kind {
        Kind::Agent => Some(Box::new(keeper.agent_of(key).ok()?)),
        Kind::Library => Some(Box::new(Member::open(keeper, key.name.parse().ok()?).ok()??)),
    }
}
