use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use soul_engine::ops::log;

use crate::app::App;
use crate::failure::Failure;

/// The process is there.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// The store answers.
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Failure> {
    match app.run(|keeper| log::run(keeper, log::Request::Last(1))).await {
        Ok(_) => Ok("ready\n"),
        Err(failure) => Err(Failure { status: StatusCode::SERVICE_UNAVAILABLE, ..failure }),
    }
}

pub(super) async fn metrics(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text())
}
