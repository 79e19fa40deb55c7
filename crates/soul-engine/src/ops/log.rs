//! What happened, in order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::Limit;
use crate::store::Event;

/// List events, oldest first: every change, session and run.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Events after this number. Default: the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// The largest number of events.
    #[serde(default)]
    pub limit: Limit,
}

/// Events, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EventPage")]
pub struct Response {
    /// The events.
    pub events: Vec<Event>,
    /// The number to continue after.
    pub next: i64,
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
        let after = match self.after {
            Some(after) => after,
            None => store.event_before_last(self.limit.get())?,
        };
        let events = store.events(after, self.limit.get())?;
        let next = events.last().map_or(after, |event| event.seq);
        Ok(Response { events, next })
    }
}
