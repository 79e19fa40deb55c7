//! Events, as a page or as a stream.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use soul_engine::fields::Limit;
use soul_engine::ops::log;
use soul_engine::tokens;
use soul_engine::{Caller, Grant};

use super::dispatch;
use crate::app::{App, Following};
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
    let events = stream(app, caller, place, notice, request, first);
    let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
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
) -> Result<(log::Response, Option<Event>), Failure> {
    let Some(after) = after.filter(|_| first.events.is_empty()) else { return Ok((first, None)) };
    let last = app.ask(log::Request { limit: Limit::new(1), ..log::Request::default() }, caller.clone()).await?.next;
    if after <= last {
        return Ok((first, None));
    }
    let notice = Event::default().comment(format!("there is no event {after}; continuing after {last}, the last one"));
    Ok((log::Response { next: last, ..first }, Some(notice)))
}

/// More events; none if the caller may no longer see them.
async fn more(app: &App, caller: &Caller, request: &log::Request) -> Result<Option<log::Response>, Failure> {
    let request = log::Request { limit: Limit::new(100), ..request.clone() };
    let found = app.ask(request, caller.clone()).await?;
    if caller.token().is_none() {
        return Ok(Some(found));
    }
    // After they were read, so that nothing is sent that happened after a token was revoked.
    let caller = caller.clone();
    let is_granted = app.check_token(move |keeper| Ok(tokens::still_grants(keeper, &caller, Grant::Read)?)).await?;
    Ok(is_granted.then_some(found))
}

/// A notice, the events of a page, then whatever comes, until the service goes down or the token is revoked.
fn stream(
    app: App,
    caller: Caller,
    place: Following,
    notice: Option<Event>,
    request: log::Request,
    first: log::Response,
) -> impl futures_core::Stream<Item = Result<Event, Infallible>> {
    let mut gone = app.gone.clone();
    let request = log::Request { after: Some(first.next), ..request };
    let news = app.news();
    let state = (app, caller, place, first.events.into_iter(), request, news);
    let events =
        futures_util::stream::unfold(state, |(app, caller, place, mut events, mut request, mut news)| async move {
            loop {
                if let Some(event) = events.next() {
                    let data = serde_json::to_string(&event).unwrap_or_default();
                    let sent = Event::default().id(event.seq.to_string()).event(event.event.kind.as_str()).data(data);
                    return Some((Ok(sent), (app, caller, place, events, request, news)));
                }
                // Nobody tells any more if the service goes down, which ends the stream.
                let _ = news.changed().await;
                // A store that does not answer now may answer at the next look.
                match more(&app, &caller, &request).await {
                    Ok(Some(more)) => {
                        request.after = Some(more.next);
                        events = more.events.into_iter();
                    }
                    Ok(None) => return None,
                    Err(_) => {}
                }
            }
        });
    let events = futures_util::stream::iter(notice.map(Ok)).chain(events);
    events.take_until(async move { over(&mut gone).await })
}
