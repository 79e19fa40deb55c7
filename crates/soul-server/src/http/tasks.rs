use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use soul_engine::ops::Error;
use soul_engine::ops::task::{self, add, claim, list};
use soul_engine::store::TaskState;
use utoipa::{IntoParams, ToSchema};

use super::body::{Asked, Body, By, limit, whole};
use super::{Answer, schemas};
use crate::app::App;
use crate::failure::Failure;

#[derive(Deserialize, ToSchema)]
pub(super) struct Add {
    /// The agent; any session may take it if nothing is said.
    #[schema(min_length = 1, max_length = 128)]
    agent: Option<String>,
    /// What it is about.
    #[serde(default)]
    payload: Value,
}

/// Add something to do.
#[utoipa::path(post, path = "/api/tasks", tag = "tasks", request_body = Option<Add>,
    responses((status = 200, body = schemas::TaskAdded), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn add(State(app): State<App>, By(asker): By, Body(asked): Body<Add>) -> Answer<add::Response> {
    let agent = asked.agent.map(|name| name.parse()).transpose().map_err(Error::from)?;
    let request = add::Request { agent, payload: asked.payload, asker };
    app.change(|keeper| add::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// `queued`, `claimed`, `done` or `failed` only.
    #[param(pattern = "^(queued|claimed|done|failed)$")]
    state: Option<String>,
    /// Where the page before ended.
    cursor: Option<String>,
    /// The most of them, from 1 to 1000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
}

/// Tasks, oldest first.
#[utoipa::path(get, path = "/api/tasks", tag = "tasks", params(Filter),
    responses((status = 200, body = schemas::Tasks), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn list(State(app): State<App>, Asked(filter): Asked<Filter>) -> Answer<list::Response> {
    let state = match filter.state.as_deref() {
        None => None,
        Some("queued") => Some(TaskState::Queued),
        Some("claimed") => Some(TaskState::Claimed),
        Some("done") => Some(TaskState::Done),
        Some("failed") => Some(TaskState::Failed),
        Some(_) => return Err(Failure::bad_request("`state` is `queued`, `claimed`, `done` or `failed`")),
    };
    let cursor = filter.cursor.filter(|cursor| !cursor.is_empty()).map(Into::into);
    let request = list::Request { state, cursor, limit: limit(filter.limit, 50)? };
    app.run(move |keeper| list::run(keeper, &request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Claim {
    /// The session that takes it.
    session_id: String,
    /// How long before others may take it, from a second to a day; a minute if nothing is said.
    #[schema(minimum = 1, maximum = 86400)]
    #[serde(default, deserialize_with = "whole")]
    lease_seconds: Option<u64>,
}

/// How long a lease is.
pub(super) fn lease(seconds: Option<u64>) -> Result<Duration, Failure> {
    match seconds.unwrap_or(60) {
        seconds @ 1..=86_400 => Ok(Duration::from_secs(seconds)),
        _ => Err(Failure::bad_request("a lease lasts from a second to a day")),
    }
}

/// Take the oldest task that waits. Of many who ask at once, one gets it.
#[utoipa::path(post, path = "/api/tasks/claim", tag = "tasks", request_body = Claim,
    responses((status = 200, body = schemas::RunOrNone), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn claim(State(app): State<App>, By(asker): By, Body(asked): Body<Claim>) -> Answer<task::Response> {
    let lease = lease(asked.lease_seconds)?;
    let request = claim::Request { session: asked.session_id.into(), lease, asker };
    app.change(|keeper| claim::run(keeper, request)).await.map(Json)
}
