use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use serde_json::Value;
use soul_engine::freshness::Freshness;
use soul_engine::ops::{Entry, Error, Load, Operation};
use soul_engine::store::Event;
use soul_engine::workspace::AgentName;
use soul_engine::{Caller, Context, Grant, Keeper, Progress};
use tokio::sync::{broadcast, watch};

use crate::auth::{Hosts, SignIns};
use crate::background::Background;
use crate::cache::Cache;
use crate::connections::{AtWork, Client, Connection};
use crate::failure::Failure;
use crate::feed::{self, Feed};
use crate::http::Readiness;
use crate::limits::Limits;
use crate::live::LiveKeeper;
use crate::metrics::Metrics;
use crate::pool::{Pool, Slot};

/// What every request runs on.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) keeper: LiveKeeper,
    pub(crate) cache: Cache,
    pub(crate) metrics: Metrics,
    pub(crate) readiness: Readiness,
    /// The names of the service, and who can reach it.
    pub(crate) hosts: Hosts,
    /// Who has signed in with a token in a browser.
    pub(crate) sign_ins: SignIns,
    /// Whether the service goes down.
    pub(crate) gone: watch::Receiver<bool>,
    pub(crate) background: Background,
    tokens: Pool,
    reads: Pool,
    slow: Pool,
    remote: Pool,
    writes: Pool,
    streams: Pool,
    feed: OnceLock<Feed>,
}

/// The kinds of operations, which do not wait for each other: slots, and requests of one client that may wait.
const TOKENS: (usize, usize) = (4, 512);
const READS: (usize, usize) = (16, 512);
const SLOW: (usize, usize) = (4, 32);
const REMOTE: (usize, usize) = (8, 32);
const WRITES: (usize, usize) = (8, 256);

/// The most threads that they need at once, with some for probes and for waiting for the end.
pub(crate) const THREADS: usize = TOKENS.0 + READS.0 + SLOW.0 + REMOTE.0 + WRITES.0 + 8;

/// How long a request waits for a slot. A change may wait for locks of others.
const PATIENCE: Duration = Duration::from_secs(10);
const PATIENCE_OF_WRITES: Duration = Duration::from_secs(20);

/// How long a database on another machine may take to answer one request.
const SILENCE: Duration = Duration::from_secs(10);
const SILENCE_OF_WRITES: Duration = Duration::from_secs(30);

/// How many clients follow events; each holds its connection for as long as it likes.
const STREAMS: usize = 256;

/// The answer to a request, in JSON.
pub(crate) struct Answer {
    pub(crate) json: Bytes,
    pub(crate) freshness: Option<Freshness>,
}

/// A place among the clients that follow events.
pub(crate) struct Following {
    _slot: Slot,
    _at_work: Option<AtWork>,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    pub(crate) fn new(keeper: Keeper, hosts: Hosts, gone: watch::Receiver<bool>) -> Self {
        let pool = |(slots, queue), patience| Pool::new(slots, queue, patience);
        Self(Arc::new(Parts {
            keeper: LiveKeeper::new(keeper),
            cache: Cache::default(),
            metrics: Metrics::default(),
            readiness: Readiness::default(),
            hosts,
            gone,
            background: Background::default(),
            tokens: pool(TOKENS, PATIENCE),
            reads: pool(READS, PATIENCE),
            slow: pool(SLOW, PATIENCE),
            remote: pool(REMOTE, PATIENCE),
            writes: pool(WRITES, PATIENCE_OF_WRITES),
            streams: pool((STREAMS.min(Limits::of_process().tcp / 4).max(1), 0), Duration::ZERO),
            feed: OnceLock::new(),
            sign_ins: SignIns::default(),
        }))
    }

    /// Answers a request of an operation.
    pub(crate) async fn answer(&self, entry: &Entry, request: Value, caller: Caller) -> Result<Answer, Failure> {
        self.answer_reporting(entry, request, caller, None).await
    }

    /// Answers a request of an operation, and says how far it has come.
    pub(crate) async fn answer_reporting(
        &self,
        entry: &Entry,
        request: Value,
        caller: Caller,
        report: Option<Report>,
    ) -> Result<Answer, Failure> {
        let ready = entry.read(request).map_err(|error| Failure::of(&self.keeper.get(), error))?;
        let (pool, cancels) = self.pool(ready.load, ready.grant);
        self.blocking(pool, cancels, holder(&caller), report, move |keeper, progress| {
            let answer = ready.run(&Context { keeper, caller: &caller, progress })?;
            Ok(Answer { json: answer.json.into(), freshness: answer.freshness })
        })
        .await
    }

    /// The answer that was given before, if it is still true. To find that out may take a look at another machine.
    pub(crate) async fn cached(&self, keeper: &Keeper, question: &str) -> Option<Bytes> {
        if !keeper.has_remote_store() || !self.cache.has(question) {
            return self.cache.get(keeper, question);
        }
        let (app, question) = (self.clone(), question.to_owned());
        let look = move |keeper: &Keeper, _: &dyn Progress| Ok(app.cache.get(keeper, &question));
        self.blocking(&self.reads, Cancels::IfClientIsGone, None, None, look).await.ok().flatten()
    }

    /// Answers a request that the service makes itself, on behalf of a caller.
    pub(crate) async fn ask<O>(&self, request: O, caller: Caller) -> Result<O::Response, Failure>
    where
        O: Operation,
        O::Response: Send,
    {
        let (pool, cancels) = self.pool(request.load(), request.grant());
        let holder = holder(&caller);
        let run = move |keeper: &Keeper, progress: &dyn Progress| {
            request.call(&Context { keeper, caller: &caller, progress })
        };
        self.blocking(pool, cancels, holder, None, run).await
    }

    /// Looks a token up. No other request is waited for.
    pub(crate) async fn check_token<T: Send + 'static>(
        &self,
        check: impl FnOnce(&Keeper) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        self.blocking(&self.tokens, Cancels::IfClientIsGone, None, None, |keeper, _| check(keeper)).await
    }

    /// Refuses an agent that does not exist.
    pub(crate) async fn check_agent(&self, name: AgentName) -> Result<(), Failure> {
        let check = move |keeper: &Keeper, _: &dyn Progress| Ok(keeper.check_agent(&name)?);
        self.blocking(&self.reads, Cancels::IfClientIsGone, None, None, check).await
    }

    /// Where a request runs, and whether it ends early when nobody waits for the answer any more.
    fn pool(&self, load: Load, grant: Grant) -> (&Pool, Cancels) {
        match (grant, load) {
            // What waits for another machine must not hold the room of other changes.
            (Grant::Write | Grant::Admin, Load::Remote) => (&self.remote, Cancels::Never),
            (Grant::Write | Grant::Admin, _) => (&self.writes, Cancels::Never),
            (Grant::Read, Load::Quick) => (&self.reads, Cancels::IfClientIsGone),
            (Grant::Read, Load::Slow) => (&self.slow, Cancels::IfClientIsGone),
            (Grant::Read, Load::Remote) => (&self.remote, Cancels::IfClientIsGone),
        }
    }

    /// Runs what may touch a disk, among the operations of its kind. A request whose client goes away while it waits
    /// is not begun. A change that has begun runs to its end, whatever becomes of the client.
    async fn blocking<T: Send + 'static>(
        &self,
        pool: &Pool,
        cancels: Cancels,
        holder: Option<Client>,
        report: Option<Report>,
        work: impl FnOnce(&Keeper, &dyn Progress) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let connection = Connection::current();
        let client = holder.or_else(|| connection.as_ref().map(|connection| connection.client.clone()));
        let _at_work = connection.map(Connection::at_work);
        let slot = pool.slot(&client.unwrap_or(Client::Socket)).await.map_err(|_| Failure::overloaded())?;
        let keeper = self.keeper.get();
        let is_remote = keeper.has_remote_store();
        let awaited = Arc::new(Awaited { is_over: AtomicBool::new(false), report });
        let _guard = (cancels == Cancels::IfClientIsGone).then(|| WhileAwaited(Arc::clone(&awaited)));
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&keeper, &*awaited).map_err(|error| Failure::of(&keeper, error));
            drop(slot);
            result
        });
        // A database on another machine may stop answering. The client gets an error; the operation continues and
        // keeps its slot.
        let is_quick = [&self.tokens, &self.reads].into_iter().any(|quick| std::ptr::eq(quick, pool));
        let patience = match cancels {
            _ if !is_remote => Duration::MAX,
            Cancels::Never => SILENCE_OF_WRITES,
            Cancels::IfClientIsGone if is_quick => SILENCE,
            Cancels::IfClientIsGone => Duration::MAX,
        };
        match tokio::time::timeout(patience, done).await {
            // An operation that panicked has rolled back; the message stays in our log.
            Ok(done) => done.map_err(|_| Failure::gone())?,
            Err(_) if cancels == Cancels::Never => Err(Failure::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "unconfirmed",
                "the database does not answer: the change may have been made",
            )
            .hint("look at the record before you repeat the change")),
            Err(_) => {
                let message = "the database does not answer";
                Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "store_silent", message).hint("try again later"))
            }
        }
    }

    /// What happens from now on. One thread reads it, for all who follow; it begins after the event that the first of
    /// them has seen. A follower that comes later reads what came in between from the store.
    pub(crate) fn events(&self, seen: i64) -> broadcast::Receiver<Arc<Event>> {
        self.feed.get_or_init(|| feed::start(&self.0, seen)).subscribe()
    }

    /// The same parts, without keeping them alive.
    pub(crate) fn downgrade(&self) -> Weak<Parts> {
        Arc::downgrade(&self.0)
    }

    /// A place among the clients that follow events, if there is one.
    pub(crate) fn place_for_stream(&self) -> Option<Following> {
        let connection = Connection::current();
        let client = connection.as_ref().map_or(Client::Socket, |connection| connection.client.clone());
        Some(Following { _slot: self.streams.try_slot(&client)?, _at_work: connection.map(Connection::at_work) })
    }
}

/// A client that presents a token is counted by the token, and not by its address.
fn holder(caller: &Caller) -> Option<Client> {
    caller.token().cloned().map(Client::Token)
}

/// Whether an operation ends early when its client is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cancels {
    IfClientIsGone,
    Never,
}

/// Receives the progress of an operation: what was done, how many more, of how many.
pub(crate) type Report = Box<dyn Fn(&'static str, usize, Option<usize>) + Send + Sync>;

/// Tells an operation whether its answer is still awaited.
struct Awaited {
    is_over: AtomicBool,
    report: Option<Report>,
}

impl Progress for Awaited {
    fn advance(&self, what: &'static str, count: usize, total: Option<usize>) {
        if let Some(report) = &self.report {
            report(what, count, total);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Part of the future that answers a request: it is dropped with it when the client goes away.
struct WhileAwaited(Arc<Awaited>);

impl Drop for WhileAwaited {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}
