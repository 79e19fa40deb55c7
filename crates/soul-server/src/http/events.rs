//! Events, as a page or as a stream.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use soul_engine::Caller;
use soul_engine::fields::Limit;
use soul_engine::ops::log;

use super::dispatch;
use crate::app::{App, Following};
use crate::failure::Failure;
use crate::serve::over;

/// The route, which the table has too: this adds the stream to it.
pub(super) const PATH: &str = "/api/events";

/// How often to look for more.
const PAUSE: Duration = Duration::from_millis(200);

/// Events, oldest first. Asked for as `text/event-stream`, they go on as things happen.
pub(super) async fn list(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    let (caller, headers) = (dispatch::caller(&parts)?, &parts.headers);
    let mut request: log::Request = dispatch::from_query(&app, PATH, &parts)?;
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    request.after = resumed.or(request.after);
    let first = app.ask(request, caller.clone()).await?;
    let wants_stream = headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/event-stream")));
    if !wants_stream {
        return Ok(Json(first).into_response());
    }
    let Some(place) = app.place_for_stream() else {
        let message = "too many clients follow events already";
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_streams", message));
    };
    Ok(Sse::new(stream(app, caller, place, first)).keep_alive(KeepAlive::default()).into_response())
}

/// The events of a page, then whatever comes.
fn stream(
    app: App,
    caller: Caller,
    place: Following,
    first: log::Response,
) -> impl futures_core::Stream<Item = Result<Event, Infallible>> {
    let mut gone = app.gone.clone();
    let state = (app, caller, place, first.events.into_iter(), first.next);
    let events = futures_util::stream::unfold(state, |(app, caller, place, mut events, mut next)| async move {
        loop {
            if let Some(event) = events.next() {
                let data = serde_json::to_string(&event).unwrap_or_default();
                let sent = Event::default().id(event.seq.to_string()).event(event.event.kind.as_str()).data(data);
                return Some((Ok(sent), (app, caller, place, events, next)));
            }
            tokio::time::sleep(PAUSE).await;
            // A store that does not answer now may answer at the next look.
            let request = log::Request { after: Some(next), limit: Limit::new(100) };
            if let Ok(more) = app.ask(request, caller.clone()).await {
                next = more.next;
                events = more.events.into_iter();
            }
        }
    });
    futures_util::StreamExt::take_until(events, async move { over(&mut gone).await })
}
