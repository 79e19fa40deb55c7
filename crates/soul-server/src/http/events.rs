use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use soul_engine::ops::log;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::IntoParams;

use super::body::{Asked, limit};
use super::schemas;
use crate::app::App;
use crate::failure::Failure;
use crate::serve::over;

/// How often to look for more.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct After {
    /// Events after this number; the last ones if nothing is said. `Last-Event-ID` counts more.
    after: Option<i64>,
    /// The most of them, from 1 to 1000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
}

/// What happened, oldest first. Asked for as `text/event-stream`, it goes on as things happen.
#[utoipa::path(get, path = "/api/events", tag = "events", params(After),
    responses((status = 200, body = schemas::Events), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn list(
    State(app): State<App>,
    headers: HeaderMap,
    Asked(asked): Asked<After>,
) -> Result<Response, Failure> {
    let limit = limit(asked.limit, 50)?;
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let request = match resumed.or(asked.after) {
        Some(after) => log::Request::After(after, limit),
        None => log::Request::Last(limit),
    };
    let first = app.run(move |keeper| log::run(keeper, request)).await?;
    let wants_stream = headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/event-stream")));
    if !wants_stream {
        return Ok(Json(first).into_response());
    }
    let Some(place) = app.place_for_stream() else {
        let message = "as many clients as there is room for hear of events already";
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_streams", message));
    };
    Ok(Sse::new(stream(app, place, first)).keep_alive(KeepAlive::default()).into_response())
}

/// The events of a page, then whatever comes.
fn stream(
    app: App,
    place: OwnedSemaphorePermit,
    first: log::Response,
) -> impl futures_core::Stream<Item = Result<Event, Infallible>> {
    let mut gone = app.gone.clone();
    let state = (app, place, first.events.into_iter(), first.next);
    let events = futures_util::stream::unfold(state, |(app, place, mut events, mut next)| async move {
        loop {
            if let Some(event) = events.next() {
                let data = serde_json::to_string(&event).unwrap_or_default();
                let sent = Event::default().id(event.seq.to_string()).event(event.event.kind.as_str()).data(data);
                return Some((Ok(sent), (app, place, events, next)));
            }
            tokio::time::sleep(PAUSE).await;
            // A store that does not answer now may answer at the next look.
            if let Ok(more) = app.run(move |keeper| log::run(keeper, log::Request::After(next, 100))).await {
                next = more.next;
                events = more.events.into_iter();
            }
        }
    });
    futures_util::StreamExt::take_until(events, async move { over(&mut gone).await })
}
