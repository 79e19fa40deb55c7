use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use soul_core::formats::soulspec::MANIFESTS;
use soul_engine::ops::{Error, Subject, context};
use soul_engine::workspace::{AgentName, Target};
use utoipa::IntoParams;

use super::agents::{json, read_of};
use super::body::Asked;
use super::schemas;
use crate::app::App;
use crate::cache::Witness;
use crate::failure::Failure;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Whose {
    /// The session.
    session: Option<String>,
    /// The agent.
    #[param(min_length = 1, max_length = 128)]
    agent: Option<String>,
}

/// Which soul it is in a few hundred bytes, never its body. Give a session or an agent.
#[utoipa::path(get, path = "/api/agent/context", tag = "context", params(Whose),
    responses((status = 200, body = schemas::Context), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn get(State(app): State<App>, Asked(whose): Asked<Whose>) -> Result<Response, Failure> {
    match (whose.session, whose.agent) {
        (Some(id), None) => of_session(&app, id).await,
        (None, Some(name)) => of_agent(&app, name).await,
        _ => Err(Failure::bad_request("give `session` or `agent`, one of them")),
    }
}

/// What a session runs on is in the store and nowhere else.
async fn of_session(app: &App, id: String) -> Result<Response, Failure> {
    let answer = app.remembered(format!("context of session {id}"), |keeper| {
        let witness = Witness::of(keeper.store_paths());
        Ok((context::run(keeper, Subject::Session(id.into()))?, Some(witness)))
    });
    answer.await.map(json)
}

async fn of_agent(app: &App, name: String) -> Result<Response, Failure> {
    let name: AgentName = name.parse().map_err(Error::from)?;
    let answer = app.remembered(format!("context {}", name.as_str()), |keeper| {
        let paths = keeper.agent_paths(&name);
        // A package is read from more files than are worth watching.
        let is_package = paths.iter().any(|path| MANIFESTS.iter().any(|name| path.join(name).exists()));
        let witness = (!is_package).then(|| Witness::of(read_of(paths).into_iter().chain(keeper.store_paths())));
        let answer = context::run(keeper, Subject::Target(Target::Agent(name), None))?;
        // Which soul of the library is taken does not hang on the agent's files alone, and a persona changes with
        // time, which no file shows.
        let witness = witness.filter(|_| answer.soul_source.is_none() && answer.soul.persona.is_none());
        Ok((answer, witness))
    });
    answer.await.map(json)
}
