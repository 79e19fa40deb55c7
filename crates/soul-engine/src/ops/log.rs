//! What happened, in order.

use serde::{Deserialize, Serialize};

use super::{Error, Grant, LONGEST_PAGE};
use crate::Keeper;
use crate::store::Event;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which events.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Request {
    /// The last so many.
    Last(usize),
    /// Those after a number, at most so many.
    After(i64, usize),
}

/// Events, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The events.
    pub events: Vec<Event>,
    /// The number to ask on from.
    pub next: i64,
}

/// Reads events.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Some(store) = keeper.existing_store()? else {
        return Ok(Response {
            events: Vec::new(),
            next: if let Request::After(after, _) = request { after } else { 0 },
        });
    };
    let (after, limit) = match request {
        Request::Last(count) => (store.event_before_last(count.min(LONGEST_PAGE))?, count),
        Request::After(after, limit) => (after, limit),
    };
    let events = store.events(after, limit.min(LONGEST_PAGE))?;
    let next = events.last().map_or(after, |event| event.seq);
    Ok(Response { events, next })
}
