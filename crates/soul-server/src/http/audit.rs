use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use soul_engine::ops::audit;
use utoipa::IntoParams;

use super::body::Asked;
use super::{Answer, schemas};
use crate::app::App;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Expected {
    /// A head that must still be in its chain.
    expect_head: Option<String>,
}

/// Whether the record is whole.
#[utoipa::path(get, path = "/api/audit/verify", tag = "audit", params(Expected),
    responses((status = 200, body = schemas::Audit), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn verify(State(app): State<App>, Asked(expected): Asked<Expected>) -> Answer<audit::Response> {
    let request = audit::Request { expect_heads: expected.expect_head.into_iter().collect() };
    app.run(|keeper| audit::run(keeper, request, &|| ())).await.map(Json)
}
