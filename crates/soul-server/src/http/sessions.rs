use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_engine::ops::session::{self, Refreshed, Resolved, list, refresh, resume, show, spawn, start, stop};
use soul_engine::ops::{Error, Subject, prompt};
use soul_engine::store::SessionState;
use soul_engine::workspace::AgentName;
use utoipa::{IntoParams, ToSchema};

use super::agents::Joined;
use super::body::{Asked, Body, By, Id, limit};
use super::{Answer, schemas};
use crate::app::App;
use crate::failure::Failure;

#[derive(Deserialize, ToSchema)]
pub(super) struct Start {
    /// The agent, which runs on its own soul.
    #[schema(min_length = 1, max_length = 128)]
    agent: Option<String>,
    /// A soul of the library, for a session without an agent. With neither, the soul that is selected is taken.
    #[schema(min_length = 1, max_length = 128, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    soul: Option<String>,
}

fn agent(name: &str) -> Result<AgentName, Failure> {
    Ok(name.parse().map_err(Error::from)?)
}

/// Start a session of an agent on its soul as it is now, or of nobody on a soul of the library.
#[utoipa::path(post, path = "/api/sessions", tag = "sessions", request_body = Option<Start>,
    responses((status = 200, body = schemas::SessionWithSoul), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn start(State(app): State<App>, By(asker): By, Body(asked): Body<Start>) -> Answer<Resolved> {
    let runs = match (asked.agent, asked.soul) {
        (Some(name), None) => start::Runs::Agent(agent(&name)?),
        (None, Some(id)) => start::Runs::Soul(id.parse().map_err(Error::Library)?),
        (None, None) => start::Runs::Selected,
        (Some(_), Some(_)) => return Err(Failure::bad_request("give `agent` or `soul`, not both")),
    };
    let request = start::Request { runs, asker };
    app.change(|keeper| start::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Of this agent only.
    #[param(min_length = 1, max_length = 128)]
    agent: Option<String>,
    /// `active` or `stopped` only.
    #[param(pattern = "^(active|stopped)$")]
    state: Option<String>,
    /// The most of them, from 1 to 1000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
}

/// Sessions, newest first.
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", params(Filter),
    responses((status = 200, body = schemas::Sessions), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn list(State(app): State<App>, Asked(filter): Asked<Filter>) -> Answer<list::Response> {
    let state = match filter.state.as_deref() {
        None => None,
        Some("active") => Some(SessionState::Active),
        Some("stopped") => Some(SessionState::Stopped),
        Some(_) => return Err(Failure::bad_request("`state` is `active` or `stopped`")),
    };
    let agent = filter.agent.as_deref().map(agent).transpose()?;
    let request = list::Request { agent, state, limit: limit(filter.limit, 50)? };
    app.run(move |keeper| list::run(keeper, &request)).await.map(Json)
}

/// A session.
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = schemas::SessionShown), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn show(State(app): State<App>, Id(id): Id) -> Answer<show::Response> {
    app.run(|keeper| show::run(keeper, &show::Request { session: id.into() })).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Spawn {
    /// The agent.
    #[schema(min_length = 1, max_length = 128)]
    agent: String,
}

/// Start a session from another one. The child has its own agent's soul.
#[utoipa::path(post, path = "/api/sessions/{id}/spawn", tag = "sessions", params(("id" = String, Path)),
    request_body = Spawn,
    responses((status = 200, body = schemas::SessionWithSoul), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn spawn(
    State(app): State<App>,
    Id(id): Id,
    By(asker): By,
    Body(asked): Body<Spawn>,
) -> Answer<Resolved> {
    let agent = agent(&asked.agent)?;
    let request = spawn::Request { parent: id.into(), agent, asker };
    app.change(|keeper| spawn::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Refresh {
    /// The digest of the soul that the session is bound to, as you have seen it.
    expected_digest: Option<String>,
}

/// Bind an idle session to its agent's soul as it is now.
#[utoipa::path(post, path = "/api/sessions/{id}/soul/refresh", tag = "sessions", params(("id" = String, Path)),
    request_body = Option<Refresh>,
    responses((status = 200, body = schemas::SessionRefreshed), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn refresh(
    State(app): State<App>,
    Id(id): Id,
    By(asker): By,
    Body(asked): Body<Refresh>,
) -> Answer<Refreshed> {
    let request = refresh::Request { session: id.into(), expected_digest: asked.expected_digest, asker };
    app.change(|keeper| refresh::run(keeper, request)).await.map(|resolved| Json(resolved.turned()))
}

/// Go on with a session, on the soul that it was bound to.
#[utoipa::path(post, path = "/api/sessions/{id}/resume", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = schemas::SessionTurned), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn resume(State(app): State<App>, Id(id): Id, By(asker): By) -> Answer<session::Response> {
    let request = resume::Request { session: id.into(), asker };
    app.change(|keeper| resume::run(keeper, request)).await.map(Json)
}

/// Stop a session.
#[utoipa::path(post, path = "/api/sessions/{id}/stop", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = schemas::SessionTurned), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn stop(State(app): State<App>, Id(id): Id, By(asker): By) -> Answer<session::Response> {
    let request = stop::Request { session: id.into(), asker };
    app.change(|keeper| stop::run(keeper, request)).await.map(Json)
}

/// The prompt of a session, whatever its files say now.
#[utoipa::path(get, path = "/api/sessions/{id}/prompt", tag = "sessions", params(("id" = String, Path), Joined),
    responses((status = 200, body = schemas::Prompt), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn prompt(
    State(app): State<App>,
    Id(id): Id,
    Asked(joined): Asked<Joined>,
) -> Answer<prompt::Response> {
    let part = joined.part()?;
    let request = prompt::Request { subject: Subject::Session(id.into()), base: joined.base, part };
    app.run(|keeper| prompt::run(keeper, request)).await.map(Json)
}
