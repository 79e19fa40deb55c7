//! Events, as a page or as a stream.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use soul_engine::fields::Limit;
use soul_engine::ops::log;
use soul_engine::store::{Event, EventKind};
use soul_engine::tokens;
use soul_engine::{Caller, Grant};
use tokio::sync::broadcast::{self, error::RecvError};

use super::dispatch;
use crate::app::{App, Following as Place};
use crate::failure::Failure;
use crate::serve::over;

/// The route, which the table has too: this adds the stream to it.
pub(super) const PATH: &str = "/api/events";

/// Events, oldest first. Asked for as `text/event-stream`, they go on as things happen.
pub(super) async fn list(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    let (caller, headers) = (dispatch::caller(&parts)?, &parts.headers);
    let mut request: log::Request = dispatch::from_query(&app, PATH, &parts)?;
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    request.after = resumed.or(request.after);
    let first = app.ask(request.clone(), caller.clone()).await?;
    let wants_stream = headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/event-stream")));
    if !wants_stream {
        return Ok(Json(first).into_response());
    }
    let Some(place) = app.place_for_stream() else {
        let message = "too many clients follow events";
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_streams", message));
    };
    let (first, notice) = from_now_if_beyond(&app, &caller, request.after, first).await?;
    let (last, read) = (first.next, first.events.into_iter().map(Arc::new).collect());
    let feed = app.events(last);
    // What came since the first events were read is in the store, and what comes from now on is in the feed.
    let following = Following { app, caller, _place: place, request, read, last, is_behind: true, feed };
    let mut response = Sse::new(stream(following, notice)).keep_alive(KeepAlive::default()).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A client that wants to continue after an event that never was, such as one of a store that was replaced, would wait
/// for it: it continues from now instead, and is told so.
async fn from_now_if_beyond(
    app: &App,
    caller: &Caller,
    after: Option<i64>,
    first: log::Response,
) -> Result<(log::Response, Option<sse::Event>), Failure> {
    let Some(after) = after.filter(|_| first.events.is_empty()) else { return Ok((first, None)) };
    let last = app.ask(log::Request { limit: Limit::new(1), ..log::Request::default() }, caller.clone()).await?.next;
    if after <= last {
        return Ok((first, None));
    }
    let notice =
        sse::Event::default().comment(format!("there is no event {after}; continuing after {last}, the last one"));
    Ok((log::Response { next: last, ..first }, Some(notice)))
}

/// Where a stream is.
struct Following {
    app: App,
    caller: Caller,
    _place: Place,
    request: log::Request,
    /// What was read and is not sent yet.
    read: VecDeque<Arc<Event>>,
    /// The last event that was read.
    last: i64,
    /// Whether there may be more in the store than was read.
    is_behind: bool,
    feed: broadcast::Receiver<Arc<Event>>,
}

/// How many events are read at once by a stream that is behind.
const PAGE: u16 = 100;

impl Following {
    /// The next event; none if the caller may no longer see any, or the service goes down.
    async fn next(&mut self) -> Option<Arc<Event>> {
        loop {
            if let Some(event) = self.read.pop_front() {
                return Some(event);
            }
            if self.is_behind {
                // A store that does not answer now may answer when something happens, which it will tell of then.
                if self.catch_up().await.is_err() && matches!(self.feed.recv().await, Err(RecvError::Closed)) {
                    return None;
                }
            } else {
                self.wait().await?;
            }
            // After they were read, so that nothing is sent that happened after a token was revoked.
            if !self.read.is_empty() && !self.is_granted().await {
                return None;
            }
        }
    }

    /// Reads what the store has after the last event.
    async fn catch_up(&mut self) -> Result<(), Failure> {
        let limit = Limit::new(PAGE);
        let request = log::Request { after: Some(self.last), limit, ..self.request.clone() };
        let page = self.app.ask(request, self.caller.clone()).await?;
        self.is_behind = page.events.len() == limit.get();
        self.last = page.next;
        self.read.extend(page.events.into_iter().map(Arc::new));
        Ok(())
    }

    /// Waits for the next event that the request asks for.
    async fn wait(&mut self) -> Option<()> {
        match self.feed.recv().await {
            // What comes before was read from the store.
            Ok(event) if event.seq <= self.last => {}
            Ok(event)
                if event.event.kind == EventKind::TokenRevoke && event.event.token.as_ref() == self.caller.token() =>
            {
                return None;
            }
            Ok(event) => {
                self.last = event.seq;
                if self.request.admits(&event) {
                    self.read.push_back(event);
                }
            }
            Err(RecvError::Lagged(_)) => self.is_behind = true,
            Err(RecvError::Closed) => return None,
        }
        Some(())
    }

    async fn is_granted(&self) -> bool {
        if self.caller.token().is_none() {
            return true;
        }
        let caller = self.caller.clone();
        let granted = self.app.check_token(move |keeper| Ok(tokens::still_grants(keeper, &caller, Grant::Read)?)).await;
        granted.unwrap_or(false)
    }
}

/// A notice, the events of a page, then whatever comes, until the service goes down or the token is revoked.
fn stream(
    following: Following,
    notice: Option<sse::Event>,
) -> impl futures_core::Stream<Item = Result<sse::Event, Infallible>> {
    let mut gone = following.app.gone.clone();
    let events = futures_util::stream::unfold(following, |mut following| async move {
        let event = following.next().await?;
        let data = serde_json::to_string(&*event).unwrap_or_default();
        let sent = sse::Event::default().id(event.seq.to_string()).event(event.event.kind.as_str()).data(data);
        Some((Ok(sent), following))
    });
    let events = futures_util::stream::iter(notice.map(Ok)).chain(events);
    events.take_until(async move { over(&mut gone).await })
}
