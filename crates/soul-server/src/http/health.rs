use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use soul_engine::fields::Limit;
use soul_engine::ops::{Operation, Report, log};
use soul_engine::{Caller, Context, Grant, Keeper};
use tokio::sync::watch;

use crate::app::App;
use crate::failure::Failure;

/// How long a probe waits for the store. A monitor that sends probes every few seconds gives up soon.
const PATIENCE: Duration = Duration::from_millis(80);

/// The same where nothing is known yet: a store that has only just been opened is not silent.
const PATIENCE_AT_FIRST: Duration = Duration::from_secs(1);

/// How long the last result counts while the store is too busy to answer.
const RECENT: Duration = Duration::from_secs(5);

/// Whether the store answers. It is asked by one probe at a time, which waits for no other request.
pub(crate) struct Readiness {
    last: Arc<watch::Sender<Option<Probed>>>,
    is_running: Arc<AtomicBool>,
}

#[derive(Clone)]
struct Probed {
    at: Instant,
    result: Result<(), Box<Report>>,
}

impl Default for Readiness {
    fn default() -> Self {
        Self { last: Arc::new(watch::Sender::new(None)), is_running: Arc::default() }
    }
}

impl Readiness {
    /// The result of a probe that ended after this was called, or else of one that ended lately; none if the store
    /// has been silent for too long.
    async fn probe(&self, keeper: &Arc<Keeper>, caller: Caller) -> Option<Result<(), Box<Report>>> {
        let begun = Instant::now();
        let mut results = self.last.subscribe();
        if !self.is_running.swap(true, Ordering::AcqRel) {
            let (keeper, running) = (Arc::clone(keeper), Running(Arc::clone(&self.is_running)));
            let last = Arc::clone(&self.last);
            tokio::task::spawn_blocking(move || {
                let result = answers(&keeper, &caller);
                drop(running);
                last.send_replace(Some(Probed { at: Instant::now(), result }));
            });
        }
        let is_new = |last: &Option<Probed>| last.as_ref().is_some_and(|last| last.at >= begun);
        let is_known = self.last.borrow().as_ref().is_some_and(|last| last.at.elapsed() < RECENT);
        let patience = if is_known { PATIENCE } else { PATIENCE_AT_FIRST };
        let _ = tokio::time::timeout(patience, results.wait_for(is_new)).await;
        let last = self.last.borrow();
        last.as_ref().filter(|last| last.at.elapsed() < RECENT).map(|last| last.result.clone())
    }
}

/// Set until it is dropped, also by a panic.
struct Running(Arc<AtomicBool>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Whether the store can be read, and whether a file can be opened.
fn answers(keeper: &Keeper, caller: &Caller) -> Result<(), Box<Report>> {
    let last = log::Request { limit: Limit::new(1), ..log::Request::default() };
    last.call(&Context::new(keeper, caller)).map_err(|error| Box::new(error.report(keeper)))?;
    match keeper.home().map(fs::read_dir) {
        Some(Err(error)) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("the home cannot be read: {}", error.kind());
            Err(Box::new(Report { code: "home_unreadable".to_owned(), message, ..Report::default() }))
        }
        _ => Ok(()),
    }
}

/// The process is there.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// The store answers.
pub(super) async fn ready(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<&'static str, Failure> {
    if !caller.has(Grant::Read) {
        return Err(Failure::denied(&caller, Grant::Read));
    }
    match app.readiness.probe(&app.keeper.get(), caller).await {
        Some(Ok(())) => Ok("ready\n"),
        Some(Err(report)) => Err(Failure::from(*report).status(StatusCode::SERVICE_UNAVAILABLE)),
        None => {
            let message = "the store has not answered for a while";
            Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "store_silent", message))
        }
    }
}

pub(super) async fn metrics(State(app): State<App>, Extension(caller): Extension<Caller>) -> Result<Response, Failure> {
    if !caller.has(Grant::Read) {
        return Err(Failure::denied(&caller, Grant::Read));
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text()).into_response())
}
