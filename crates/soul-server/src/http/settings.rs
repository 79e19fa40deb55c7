use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_engine::library::SoulId;
use soul_engine::ops::Error;
use soul_engine::ops::library::{current, select};
use utoipa::ToSchema;

use super::body::{Body, By};
use super::schemas::Failure as Refused;
use super::{Answer, schemas::library as schemas};
use crate::app::App;

/// Which soul is selected, and which one a session without an agent would take.
#[utoipa::path(get, path = "/api/v1/settings/agent", tag = "library",
    responses((status = 200, body = schemas::AgentSettings), (status = "4XX", body = Refused)))]
pub(super) async fn show(State(app): State<App>) -> Answer<current::Response> {
    app.run(current::run).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AgentSettingsChange)]
pub(super) struct Change {
    /// The soul to select; empty goes back to `default`, and nothing said leaves it as it is.
    #[schema(max_length = 128, pattern = "^([a-z0-9]+(-[a-z0-9]+)*)?$")]
    selected_soul_id: Option<String>,
}

/// Select the soul that is taken by whoever brings none.
#[utoipa::path(patch, path = "/api/v1/settings/agent", tag = "library", request_body = Option<Change>,
    responses((status = 200, body = schemas::AgentSettings), (status = "4XX", body = Refused)))]
pub(super) async fn change(
    State(app): State<App>,
    By(asker): By,
    Body(asked): Body<Change>,
) -> Answer<current::Response> {
    let Some(selected) = asked.selected_soul_id else { return show(State(app)).await };
    let id = Some(selected).filter(|id| !id.is_empty()).map(|id| id.parse::<SoulId>()).transpose();
    let request = select::Request { id: id.map_err(Error::from)?, asker };
    app.change(|keeper| select::run(keeper, request)).await.map(Json)
}
