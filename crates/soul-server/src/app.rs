use std::sync::Arc;

use soul_engine::Keeper;
use soul_engine::ops::Error;
use tokio::sync::Semaphore;

use crate::auth::Hosts;
use crate::cache::Cache;
use crate::failure::Failure;
use crate::metrics::Metrics;

/// What every request runs on.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) cache: Arc<Cache>,
    pub(crate) metrics: Arc<Metrics>,
    /// What the service goes by, and who can reach it.
    pub(crate) hosts: Hosts,
    /// How many operations touch a disk at once.
    room: Arc<Semaphore>,
}

/// Enough to keep a disk busy, and few enough to stay small.
const ROOM: usize = 16;

impl App {
    pub(crate) fn new(keeper: Keeper, hosts: Hosts) -> Self {
        Self {
            keeper: Arc::new(keeper),
            cache: Arc::default(),
            metrics: Arc::default(),
            hosts,
            room: Arc::new(Semaphore::new(ROOM)),
        }
    }

    /// Runs an operation that may touch a disk. Once it has begun it runs to its end, even if whoever
    /// asked has gone away.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else { return Err(Failure::gone()) };
        let keeper = Arc::clone(&self.keeper);
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&keeper);
            drop(permit);
            result
        });
        // An operation that panicked has rolled back; the message stays in our log.
        done.await.map_err(|_| Failure::gone())?.map_err(Failure::from)
    }
}
