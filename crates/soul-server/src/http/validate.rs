use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;
use soul_engine::Keeper;
use soul_engine::ops::payload::Soul;
use soul_engine::ops::{Error, inspect};
use soul_engine::workspace::{AgentName, Target};
use utoipa::ToSchema;

use super::body::{Agent, Body, dialect};
use super::{Answer, schemas};
use crate::app::App;
use crate::failure::Failure;

#[derive(Deserialize, ToSchema)]
pub(super) struct Text {
    /// The text; without one, the agent's file as it is.
    body: Option<String>,
    /// The dialect, instead of the one that the text shows.
    #[schema(value_type = Option<schemas::Dialect>)]
    dialect: Option<String>,
}

/// Check a text as if it were this agent's SOUL.md, or the file as it is. Nothing is written.
#[utoipa::path(post, path = "/api/agents/{name}/soul/validate", tag = "agents", params(("name" = String, Path)),
    request_body = Option<Text>,
    responses((status = 200, body = schemas::Soul), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn of_agent(State(app): State<App>, Agent(name): Agent, Body(text): Body<Text>) -> Answer<Soul> {
    let dialect = dialect(text.dialect.as_deref())?;
    app.run(move |keeper| check(keeper, Some(name), text.body, dialect)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct TextOfAny {
    /// The agent; without one, the text stands alone.
    #[schema(min_length = 1, max_length = 128)]
    agent_name: Option<String>,
    /// The text; without one, the agent's file as it is.
    body: Option<String>,
    /// The dialect, instead of the one that the text shows.
    #[schema(value_type = Option<schemas::Dialect>)]
    dialect: Option<String>,
}

/// Check a text. Nothing is written.
#[utoipa::path(post, path = "/api/agent/soul/validate", tag = "agents", request_body = TextOfAny,
    responses((status = 200, body = schemas::Soul), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn of_text(State(app): State<App>, Body(text): Body<TextOfAny>) -> Answer<Soul> {
    let name = text.agent_name.map(|name| name.parse::<AgentName>()).transpose().map_err(Error::from)?;
    if name.is_none() && text.body.is_none() {
        return Err(Failure::bad_request("give a `body`, or an `agent_name`, or both"));
    }
    let dialect = dialect(text.dialect.as_deref())?;
    app.run(move |keeper| check(keeper, name, text.body, dialect)).await.map(Json)
}

/// A valid soul, or the error that holds all that is wrong with it.
fn check(
    keeper: &Keeper,
    name: Option<AgentName>,
    body: Option<String>,
    dialect: Option<Dialect>,
) -> Result<Soul, Error> {
    let agent = name.clone();
    let target = match (name, body) {
        (Some(name), Some(body)) => Target::Proposal(name, body.into_bytes()),
        (Some(name), None) => Target::Agent(name),
        (None, body) => Target::Text(body.unwrap_or_default().into_bytes()),
    };
    let inspected = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
    if inspected.valid {
        Ok(Soul::of(keeper, agent.as_ref(), inspected))
    } else {
        Err(Error::Invalid(Box::new(inspected)))
    }
}
