//! What happened, in order.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::fields::{Limit, Moment, NonBlank, given, wire_schema};
use crate::store::{Event, EventFilter, EventKind};
use crate::workspace::AgentName;

/// List events, oldest first: every change, session and run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Events after this number. Default: the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
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
        }
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
            return Ok(Response { events: Vec::new(), next: self.after.unwrap_or_default() });
        };
        let (filter, limit) = (self.filter(), self.limit.get());
        // Before the events are read, so that none which comes meanwhile is skipped.
        let newest = store.event_before_last(&EventFilter::default(), 0)?;
        let after = match self.after {
            Some(after) => after,
            None => store.event_before_last(&filter, limit)?,
        };
        let events = store.events(&filter, after, limit)?;
        let last = events.last().map_or(after, |event| event.seq);
        // A page that is not full has everything up to the newest event, also if the filter leaves that out.
        let next = if events.len() < limit && self.after.is_none_or(|after| after <= newest) {
            last.max(newest)
        } else {
            last
        };
        Ok(Response { events, next })
    }
}
