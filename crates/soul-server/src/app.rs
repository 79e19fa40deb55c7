use std::ops::Deref;
use std::sync::Arc;

use axum::body::Bytes;
use serde_json::Value;
use soul_engine::files::witness::Witness;
use soul_engine::ops::{Entry, Error, Hints, Operation};
use soul_engine::{Caller, Context, Grant, Keeper};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::auth::Hosts;
use crate::cache::Cache;
use crate::failure::Failure;
use crate::metrics::Metrics;

/// What every request runs on.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) cache: Cache,
    pub(crate) metrics: Metrics,
    /// The names of the service, and who can reach it.
    pub(crate) hosts: Hosts,
    /// Whether the service goes down.
    pub(crate) gone: watch::Receiver<bool>,
    reads: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

/// How many operations read from a disk at once.
const READS: usize = 16;

/// How many operations that may take seconds run at once. No quick one waits for them.
const SLOW: usize = 4;

/// How many change something at once. They may wait for somebody's lock, and no reader waits with them.
const WRITES: usize = 8;

/// How many clients follow events; each holds its connection for as long as it likes.
const STREAMS: usize = 256;

/// The answer to a request, in JSON.
pub(crate) struct Answer {
    pub(crate) json: Bytes,
    pub(crate) witness: Option<Witness>,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    pub(crate) fn new(keeper: Keeper, hosts: Hosts, gone: watch::Receiver<bool>) -> Self {
        Self(Arc::new(Parts {
            keeper: Arc::new(keeper),
            cache: Cache::default(),
            metrics: Metrics::default(),
            hosts,
            gone,
            reads: Arc::new(Semaphore::new(READS)),
            slow: Arc::new(Semaphore::new(SLOW)),
            writes: Arc::new(Semaphore::new(WRITES)),
            streams: Arc::new(Semaphore::new(STREAMS)),
        }))
    }

    /// Answers a request of an operation.
    pub(crate) async fn answer(&self, entry: &Entry, request: Value, caller: Caller) -> Result<Answer, Failure> {
        let ready = entry.read(request).map_err(|error| Failure::of(&self.keeper, error))?;
        let (hints, grant) = (entry.hints, ready.grant);
        self.blocking(hints, grant, move |keeper| {
            let answer = ready.run(&Context::new(keeper, &caller))?;
            Ok(Answer { json: answer.json.into(), witness: answer.witness })
        })
        .await
    }

    /// Answers a request that the service makes itself, on behalf of a caller.
    pub(crate) async fn ask<O>(&self, request: O, caller: Caller) -> Result<O::Response, Failure>
    where
        O: Operation,
        O::Response: Send,
    {
        let grant = request.grant();
        self.blocking(O::HINTS, grant, move |keeper| request.call(&Context::new(keeper, &caller))).await
    }

    /// Runs what may touch a disk, among the operations of its kind. Once it has begun it runs to its end, even
    /// if the client has gone away.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        hints: Hints,
        grant: Grant,
        work: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let room = match grant {
            Grant::Read if hints.slow => &self.slow,
            Grant::Read => &self.reads,
            Grant::Write | Grant::Admin => &self.writes,
        };
        let Ok(permit) = Arc::clone(room).acquire_owned().await else { return Err(Failure::gone()) };
        let keeper = Arc::clone(&self.keeper);
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&keeper).map_err(|error| Failure::of(&keeper, error));
            drop(permit);
            result
        });
        // An operation that panicked has rolled back; the message stays in our log.
        done.await.map_err(|_| Failure::gone())?
    }

    /// A place among the clients that follow events, if there is one.
    pub(crate) fn place_for_stream(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }
}
