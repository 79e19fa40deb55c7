use std::ops::Deref;
use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use soul_engine::Keeper;
use soul_engine::ops::{Error, Grant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::auth::Hosts;
use crate::cache::{Cache, Witness};
use crate::failure::Failure;
use crate::metrics::Metrics;

/// What every request runs on.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) cache: Cache,
    pub(crate) metrics: Metrics,
    /// What the service goes by, and who can reach it.
    pub(crate) hosts: Hosts,
    /// Whether the service goes down.
    pub(crate) gone: watch::Receiver<bool>,
    reads: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

/// How many operations read from a disk at once.
const READS: usize = 16;

/// How many change something at once. They may wait for somebody's lock, and nobody who reads waits with them.
const WRITES: usize = 8;

/// How many clients hear of events as they come; each holds its connection for as long as it likes.
const STREAMS: usize = 256;

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
            writes: Arc::new(Semaphore::new(WRITES)),
            streams: Arc::new(Semaphore::new(STREAMS)),
        }))
    }

    /// Runs an operation that may touch a disk.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        self.granted(Grant::Read, work).await
    }

    /// Runs an operation that changes something. Once it has begun it runs to its end, even if whoever asked
    /// has gone away.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        self.granted(Grant::Write, work).await
    }

    /// Runs an operation among those that do the same.
    pub(crate) async fn granted<T: Send + 'static>(
        &self,
        grant: Grant,
        work: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let room = if grant == Grant::Read { &self.reads } else { &self.writes };
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

    /// The answer to a question, in JSON: the one that is kept, if it is still true; else it is made, and kept
    /// with what would show that it no longer is, if that can be watched.
    pub(crate) async fn remembered<T: Serialize>(
        &self,
        question: String,
        work: impl FnOnce(&Keeper) -> Result<(T, Option<Witness>), Error> + Send + 'static,
    ) -> Result<Bytes, Failure> {
        if let Some(answer) = self.cache.get(&question) {
            return Ok(answer);
        }
        // Texts, numbers and lists: nothing that could fail to be written.
        let made = self.run(move |keeper| {
            let (answer, witness) = work(keeper)?;
            Ok((Bytes::from(serde_json::to_vec(&answer).unwrap_or_default()), witness))
        });
        let (answer, witness) = made.await?;
        if let Some(witness) = witness {
            self.cache.put(question, answer.clone(), witness);
        }
        Ok(answer)
    }

    /// A place among those who hear of events as they come, if there is one.
    pub(crate) fn place_for_stream(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }
}
