use axum::Json;
use axum::extract::State;
use soul_engine::ops::{boot, test};
use soul_engine::workspace::Target;

use super::body::Agent;
use super::{Answer, schemas};
use crate::app::App;

/// What an agent comes up with: its files in order, and what becomes of each.
#[utoipa::path(get, path = "/api/agents/{name}/boot", tag = "agents",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = serde_json::Value), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn boot(State(app): State<App>, Agent(name): Agent) -> Answer<boot::Response> {
    let request = boot::Request { target: Target::Agent(name), dialect: None };
    app.run(|keeper| boot::run(keeper, request)).await.map(Json)
}

/// A soul held against its own examples. No model is asked.
#[utoipa::path(get, path = "/api/agents/{name}/test", tag = "agents",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = serde_json::Value), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn test(State(app): State<App>, Agent(name): Agent) -> Answer<test::Response> {
    let request = test::Request { target: Target::Agent(name), dialect: None, probing: None };
    app.run(|keeper| test::run(keeper, request)).await.map(Json)
}
