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
    agent: Option<String>,
}

/// Which soul it is in a few hundred bytes, never its body. Give a session or an agent.
#[utoipa::path(get, path = "/api/agent/context", tag = "context", params(Whose),
    responses((status = 200, body = schemas::Context), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn get(State(app): State<App>, Asked(whose): Asked<Whose>) -> Result<Response, Failure> {
    match (whose.session, whose.agent) {
        (Some(id), None) => {
            let answer = app.run(|keeper| context::run(keeper, Subject::Session(id.into()))).await?;
            Ok(json(serde_json::to_vec(&answer).unwrap_or_default().into()))
        }
        (None, Some(name)) => of_agent(&app, name).await,
        _ => Err(Failure::bad_request("give `session` or `agent`, one of them")),
    }
}

async fn of_agent(app: &App, name: String) -> Result<Response, Failure> {
    let name: AgentName = name.parse().map_err(Error::from)?;
    let question = format!("context {}", name.as_str());
    if let Some(answer) = app.cache.get(&question) {
        return Ok(json(answer));
    }
    let (answer, witness) = app
        .run(move |keeper| {
            let paths = keeper.agent_paths(&name);
            // A package is read from more files than are worth watching.
            let is_package = paths.iter().any(|path| MANIFESTS.iter().any(|name| path.join(name).exists()));
            let witness = (!is_package).then(|| Witness::of(read_of(paths).into_iter().chain(keeper.store_paths())));
            let answer = context::run(keeper, Subject::Target(Target::Agent(name), None))?;
            // A persona changes with time, which no file shows.
            let witness = witness.filter(|_| answer.soul.persona.is_none());
            Ok((serde_json::to_vec(&answer).unwrap_or_default(), witness))
        })
        .await?;
    let answer = axum::body::Bytes::from(answer);
    if let Some(witness) = witness {
        app.cache.put(question, answer.clone(), witness);
    }
    Ok(json(answer))
}
