use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_engine::ops::task::{self, finish, renew};
use soul_engine::store::Outcome;
use utoipa::ToSchema;

use super::body::{Body, By, Id, whole};
use super::tasks::lease;
use super::{Answer, schemas};
use crate::app::App;

#[derive(Deserialize, ToSchema)]
pub(super) struct Renew {
    /// How long from now, from a second to a day; a minute if nothing is said.
    #[schema(minimum = 1, maximum = 86400)]
    #[serde(default, deserialize_with = "whole")]
    lease_seconds: Option<u64>,
}

/// Keep a run for longer.
#[utoipa::path(post, path = "/api/runs/{id}/renew", tag = "tasks", params(("id" = String, Path)), request_body = Option<Renew>,
    responses((status = 200, body = schemas::RunOrNone), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn renew(
    State(app): State<App>,
    Id(id): Id,
    By(asker): By,
    Body(asked): Body<Renew>,
) -> Answer<task::Response> {
    let lease = lease(asked.lease_seconds)?;
    let request = renew::Request { run: id.into(), lease, asker };
    app.change(|keeper| renew::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Finish {
    /// Whether it did not end well.
    #[serde(default)]
    failed: bool,
}

/// End a run, and with it the task.
#[utoipa::path(post, path = "/api/runs/{id}/finish", tag = "tasks", params(("id" = String, Path)), request_body = Option<Finish>,
    responses((status = 200, body = schemas::RunOrNone), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn finish(
    State(app): State<App>,
    Id(id): Id,
    By(asker): By,
    Body(asked): Body<Finish>,
) -> Answer<task::Response> {
    let outcome = if asked.failed { Outcome::Failed } else { Outcome::Done };
    let request = finish::Request { run: id.into(), outcome, asker };
    app.change(|keeper| finish::run(keeper, request)).await.map(Json)
}
