use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_engine::ops::Error;
use soul_engine::ops::payload::{Soul, check};
use soul_engine::workspace::AgentName;
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
    app.run(move |keeper| valid(check(keeper, Some(name), text.body, dialect)?)).await.map(Json)
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
    app.run(move |keeper| valid(check(keeper, name, text.body, dialect)?)).await.map(Json)
}

/// A valid soul, or the error that holds all that is wrong with it.
fn valid(soul: Soul) -> Result<Soul, Error> {
    if soul.inspected.valid { Ok(soul) } else { Err(Error::Invalid(Box::new(soul.inspected))) }
}
