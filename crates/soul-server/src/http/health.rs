use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use soul_engine::fields::Limit;
use soul_engine::ops::log;
use soul_engine::{Caller, Grant};

use crate::app::App;
use crate::failure::Failure;

/// The process is there.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// The store answers.
pub(super) async fn ready(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<&'static str, Failure> {
    let last = log::Request { after: None, limit: Limit::new(1) };
    match app.ask(last, caller).await {
        Ok(_) => Ok("ready\n"),
        Err(failure) if failure.status == StatusCode::FORBIDDEN => Err(failure),
        Err(failure) => Err(failure.status(StatusCode::SERVICE_UNAVAILABLE)),
    }
}

pub(super) async fn metrics(State(app): State<App>, Extension(caller): Extension<Caller>) -> Result<Response, Failure> {
    if !caller.has(Grant::Read) {
        return Err(Failure::denied(&caller, Grant::Read));
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text()).into_response())
}
