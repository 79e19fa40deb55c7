use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use soul_core::persona::{Pad, radar};
use soul_engine::ops::persona::{adapt, drift, history, mood, overlay, revert, show};
use utoipa::{IntoParams, ToSchema};

use super::body::{Agent, Asked, Body, By, limit};
use super::schemas::Failure as Refused;
use super::{Answer, schemas::persona as schemas};
use crate::app::App;
use crate::failure::Failure;

/// For how long overlays lie if nothing is said, and at most.
const HOUR: u32 = 3600;
const YEAR: u32 = 366 * 86_400;

/// How an agent is disposed: what the author wrote, and what holds now.
#[utoipa::path(get, path = "/api/agents/{name}/persona", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = schemas::Persona), (status = "4XX", body = Refused)))]
pub(super) async fn show(State(app): State<App>, Agent(agent): Agent) -> Answer<show::Response> {
    app.run(|keeper| show::run(keeper, show::Request { agent })).await.map(Json)
}

/// The traits as a drawing, baseline and effective.
#[utoipa::path(get, path = "/api/agents/{name}/persona/radar.svg", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = "4XX", body = Refused)))]
pub(super) async fn drawing(State(app): State<App>, Agent(agent): Agent) -> Result<Response, Failure> {
    let name = agent.as_str().to_owned();
    let persona = app.run(|keeper| show::run(keeper, show::Request { agent })).await?;
    let drawn = radar(&name, &persona.baseline, &persona.effective);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Adapt {
    /// The trait.
    #[serde(rename = "trait")]
    of: String,
    /// How far.
    delta: f64,
    /// Why; it goes on record.
    #[schema(min_length = 1)]
    reason: String,
    /// Whose budget it is taken from; those who name no session share one.
    session: Option<String>,
}

/// Move a trait by a bounded step, with a reason, on record.
#[utoipa::path(post, path = "/api/agents/{name}/persona/adapt", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)), request_body = Adapt,
    responses((status = 200, body = schemas::Adapted), (status = "4XX", body = Refused)))]
pub(super) async fn adapt(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Adapt>,
) -> Answer<adapt::Response> {
    let Adapt { of, delta, reason, session } = asked;
    let request = adapt::Request { agent, of, delta, reason, session, asker };
    app.change(|keeper| adapt::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Drift {
    /// What happened: a list of `{valence, arousal}`.
    #[schema(value_type = Vec<Value>)]
    traces: Value,
    /// How a relationship changed: `{trustDelta, affectionDelta, tensionDelta, respectDelta}`.
    #[schema(value_type = Option<Object>)]
    relationship: Option<Value>,
    /// How to look: `{enabled, minTracesForAnalysis, maxDeltaPerCycle}`; what is not said is as the home has it.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    config: Value,
    /// Whether the steps are taken too, with their evidence on record.
    #[serde(default)]
    apply: bool,
    /// Whose budget they are taken from.
    session: Option<String>,
}

/// Propose steps from what happened, and take them if that is wanted.
#[utoipa::path(post, path = "/api/agents/{name}/persona/drift", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)), request_body = Drift,
    responses((status = 200, body = schemas::Drifted), (status = "4XX", body = Refused)))]
pub(super) async fn drift(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Drift>,
) -> Answer<drift::Response> {
    let Drift { traces, relationship, config, apply, session } = asked;
    let traces = if config.is_null() { traces } else { json!({ "traces": traces, "config": config }) };
    let apply = apply.then_some(drift::Apply { session, asker });
    let request = drift::Request { agent, traces, relationship, apply };
    app.change(|keeper| drift::run(keeper, request)).await.map(Json)
}

/// The mood of an agent.
#[utoipa::path(get, path = "/api/agents/{name}/persona/mood", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = schemas::Mood), (status = "4XX", body = Refused)))]
pub(super) async fn mood(State(app): State<App>, Agent(agent): Agent) -> Answer<mood::Response> {
    app.run(|keeper| mood::run(keeper, mood::Request { agent, change: None })).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct MoodChange {
    /// The mood to be in.
    set: Option<String>,
    /// What happened, as it moves each axis.
    #[schema(value_type = Option<schemas::Point>)]
    event: Option<Pad>,
}

/// Set the mood, or let something move it. Give `set` or `event`.
#[utoipa::path(post, path = "/api/agents/{name}/persona/mood", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)), request_body = MoodChange,
    responses((status = 200, body = schemas::Mood), (status = "4XX", body = Refused)))]
pub(super) async fn move_mood(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<MoodChange>,
) -> Answer<mood::Response> {
    let change = match (asked.set, asked.event) {
        (Some(mood), None) => mood::Change::Set(mood),
        (None, Some(event)) => mood::Change::Event(event),
        _ => return Err(Failure::bad_request("give `set` or `event`, one of them")),
    };
    let request = mood::Request { agent, change: Some((change, asker)) };
    app.change(|keeper| mood::run(keeper, request)).await.map(Json)
}

/// What lies over a persona for a while.
#[utoipa::path(get, path = "/api/agents/{name}/persona/overlays", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = schemas::Overlays), (status = "4XX", body = Refused)))]
pub(super) async fn overlays(State(app): State<App>, Agent(agent): Agent) -> Answer<overlay::Response> {
    app.run(|keeper| overlay::run(keeper, overlay::Request { agent, change: None })).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Lay {
    /// The rules to try: `{id, trigger, patch}`.
    #[schema(value_type = Vec<Value>)]
    rules: Value,
    /// What is the case: `{roleId, metadata, reasoningSignals}`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    context: Value,
    /// For how long, up to a year; an hour if nothing is said.
    #[schema(minimum = 1, maximum = 31622400)]
    seconds: Option<u32>,
}

/// Try rules, and lay those that apply over the persona.
#[utoipa::path(post, path = "/api/agents/{name}/persona/overlays", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)), request_body = Lay,
    responses((status = 200, body = schemas::Overlays), (status = "4XX", body = Refused)))]
pub(super) async fn lay(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Lay>,
) -> Answer<overlay::Response> {
    let Lay { rules, context, seconds } = asked;
    let seconds = seconds.unwrap_or(HOUR);
    if !(1..=YEAR).contains(&seconds) {
        return Err(Failure::bad_request("`seconds` is from 1 to a year"));
    }
    let change = Some((overlay::Change::Lay { rules, context, seconds }, asker));
    app.change(|keeper| overlay::run(keeper, overlay::Request { agent, change })).await.map(Json)
}

/// Take everything off that lies over a persona.
#[utoipa::path(delete, path = "/api/agents/{name}/persona/overlays", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = schemas::Overlays), (status = "4XX", body = Refused)))]
pub(super) async fn clear(State(app): State<App>, Agent(agent): Agent, By(asker): By) -> Answer<overlay::Response> {
    let change = Some((overlay::Change::Clear, asker));
    app.change(|keeper| overlay::run(keeper, overlay::Request { agent, change })).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Steps {
    /// The most steps, from 1 to 1000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// Where the page before ended.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
}

/// The steps that a persona took, newest first, and what is left of them.
#[utoipa::path(get, path = "/api/agents/{name}/persona/history", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128), Steps),
    responses((status = 200, body = schemas::Steps), (status = "4XX", body = Refused)))]
pub(super) async fn history(
    State(app): State<App>,
    Agent(agent): Agent,
    Asked(steps): Asked<Steps>,
) -> Answer<history::Response> {
    let cursor = steps.cursor.filter(|cursor| !cursor.is_empty());
    let request = history::Request { agent, limit: limit(steps.limit, 50)?, cursor };
    app.run(|keeper| history::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Revert {
    /// The step that is to be the last one; all of them are taken back if nothing is said.
    to: Option<String>,
}

/// Take adaptations back: to a step, or to what the author wrote.
#[utoipa::path(post, path = "/api/agents/{name}/persona/revert", tag = "persona",
    params(("name" = String, Path, min_length = 1, max_length = 128)), request_body = Option<Revert>,
    responses((status = 200, body = schemas::Reverted), (status = "4XX", body = Refused)))]
pub(super) async fn revert(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Revert>,
) -> Answer<revert::Response> {
    let request = revert::Request { agent, to: asked.to.map(Into::into), asker };
    app.change(|keeper| revert::run(keeper, request)).await.map(Json)
}
