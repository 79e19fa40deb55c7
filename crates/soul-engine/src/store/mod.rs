//! What is remembered: revisions, snapshots, sessions, tasks, tokens and events.
//!
//! One small trait whose methods are whole operations: each is one transaction, and what it checks
//! and what it changes cannot come apart. Nothing here knows a file of an agent.

mod chain;
mod event;
mod persona;
mod revision;
mod session;
mod snapshot;
mod sqlite;
mod statements;
mod task;
mod token;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::persona::State;

pub use chain::{ChainVersion, UnknownChainVersion};
pub use event::{Event, EventKind, NewEvent};
pub use persona::{Mutation, NewMutation, Revert, Taken};
pub use revision::{Action, Broken, Draft, InvalidMessage, Message, Party, Revision, Sealed};
pub use session::{
    Binding, NewSession, PassedOver, Reason, Session, SessionState, SoulSource, SoulStatus, Surroundings,
};
pub use snapshot::{NewSnapshot, Profile, Snapshot};
pub use sqlite::Sqlite;
pub use task::{Outcome, Run, RunState, Task, TaskState};
pub use token::{Role, Token, UnknownRole};

use crate::ids::{MutationId, RevisionId, RunId, SessionId, SnapshotId, TaskId, TokenId};
use crate::workspace::SoulKey;

/// Why the store did not answer.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Error {
    /// There is no place for it.
    #[error("there is no home to keep the store in")]
    NoHome,
    /// Others held it for too long.
    #[error("the store is locked by another program")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The disk failed, or had no room for what the database keeps beside itself.
    #[error("the disk did not do what the store asked of it: {0}")]
    Disk(String),
    /// The file may not be written.
    #[error("the store cannot be written: {0}")]
    ReadOnly(String),
    /// The file is not a database, or not a whole one.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// A later version of this program has changed its tables.
    #[error("the store was made by a later version of soul (schema {0})")]
    Newer(i64),
    /// Anything else.
    #[error("the store could not be used: {0}")]
    Failed(String),
}

impl Error {
    /// The stable name of it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoHome => "no_home",
            Self::Busy => "store_busy",
            Self::Full => "store_full",
            Self::Disk(_) => "store_disk",
            Self::ReadOnly(_) => "store_read_only",
            Self::Damaged(_) => "store_damaged",
            Self::Newer(_) => "store_newer",
            Self::Failed(_) => "store_failed",
        }
    }
}

/// What a transaction decided against, with nothing changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such session.
    NoSession,
    /// The session has been stopped.
    Stopped,
    /// The session is bound to another soul than was expected.
    OtherDigest(Option<String>),
    /// A run of the session is under way.
    LiveRun(RunId),
    /// There is no such run.
    NoRun,
    /// The run is over.
    RunOver(RunState),
}

/// The result of a transaction that can decide against what was asked.
pub type Decided<T> = Result<Result<T, Refusal>, Error>;

/// The end of a soul's record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tail {
    /// The last revision that is settled.
    pub last: Option<Revision>,
    /// One after it that is not.
    pub pending: Option<Revision>,
}

/// How a pending revision ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Its text is in place.
    Done,
    /// Its text never came into place; the row goes.
    Dropped,
}

/// The store of one keeper. Reads see settled revisions only.
pub trait Store: Send + Sync {
    /// Records a change, with its place in the chain. Durable when it returns. A change that is
    /// pending stays invisible until it is settled; an adopted one is done at once.
    fn append_revision(&self, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Revision, Error>;
    /// Ends a pending revision and tells it in an event. False if it was no longer there.
    fn settle_revision(&self, revision: &Revision, settled: Settled) -> Result<bool, Error>;
    /// The end of a soul's record, without bodies.
    fn tail(&self, key: &SoulKey) -> Result<Tail, Error>;
    /// A revision of a soul, with its body.
    fn revision(&self, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error>;
    /// The revision that was made under an idempotency key.
    fn repeated_revision(&self, key: &SoulKey, idempotency_key: &str) -> Result<Option<Revision>, Error>;
    /// Revisions before one, newest first.
    fn history(&self, key: &SoulKey, before: Option<i64>, limit: usize, bodies: bool) -> Result<Vec<Revision>, Error>;
    /// Every soul that has a revision.
    fn souls(&self) -> Result<Vec<SoulKey>, Error>;
    /// Revisions after one, oldest first, with bodies: what an audit walks.
    fn chain(&self, key: &SoulKey, after: i64, limit: usize) -> Result<Vec<Result<Revision, Broken>>, Error>;

    /// A snapshot, with its layers. One that is not what was taken is damaged.
    fn snapshot(&self, id: &SnapshotId) -> Result<Option<Snapshot>, Error>;
    /// Snapshots after one, by id.
    fn snapshot_ids(&self, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error>;

    /// Starts a session on what was resolved.
    fn start_session(&self, session: &NewSession, binding: &Binding) -> Result<Session, Error>;
    /// Binds an idle session to what was resolved anew, if it still has the digest that was
    /// expected.
    fn refresh_session(
        &self,
        id: &SessionId,
        expected: Option<&str>,
        binding: &Binding,
        actor: &Party,
        origin: &Party,
    ) -> Decided<Session>;
    /// Stops a session, or makes a stopped one live again.
    fn turn_session(&self, id: &SessionId, state: SessionState, actor: &Party, origin: &Party) -> Decided<Session>;
    /// A session.
    fn session(&self, id: &SessionId) -> Result<Option<Session>, Error>;
    /// What a session is told besides its soul.
    fn surroundings(&self, id: &SessionId) -> Result<Option<Surroundings>, Error>;
    /// Sessions, newest first.
    fn sessions(&self, agent: Option<&str>, state: Option<SessionState>, limit: usize) -> Result<Vec<Session>, Error>;
    /// A run that the session has under way.
    fn live_run(&self, session: &SessionId) -> Result<Option<RunId>, Error>;

    /// Adds a task, for one agent or for any.
    fn add_task(&self, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error>;
    /// Gives the oldest task that waits to a session, with what its soul is written into the run.
    fn claim_run(&self, session: &SessionId, lease: Duration, actor: &Party, origin: &Party) -> Decided<Option<Run>>;
    /// Makes the lease of a live run longer.
    fn renew_run(&self, id: &RunId, lease: Duration, actor: &Party, origin: &Party) -> Decided<Run>;
    /// Ends a live run.
    fn finish_run(&self, id: &RunId, outcome: Outcome, actor: &Party, origin: &Party) -> Decided<Run>;
    /// Tasks, oldest first; none if the one that they are to come after is not there.
    fn tasks(&self, state: Option<TaskState>, after: Option<&TaskId>, limit: usize)
    -> Result<Option<Vec<Task>>, Error>;

    /// All that has become of an agent's persona and still counts: one indexed read.
    fn persona(&self, key: &SoulKey) -> Result<State, Error>;
    /// Takes a step as far as the session's budget and the bounds allow, and puts it on record. One that
    /// moves nothing leaves no trace.
    fn adapt_persona(&self, new: &NewMutation) -> Result<Taken, Error>;
    /// Steps before one, newest first.
    fn mutations(&self, key: &SoulKey, before: Option<i64>, limit: usize) -> Result<Vec<Mutation>, Error>;
    /// Takes back every step after one, newest first; without one, all that has become of the persona. None
    /// if there is no such step, or it was taken back itself.
    fn revert_persona(&self, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error>;
    /// Changes what has become of a persona, and tells it in an event, if it is changed.
    fn change_persona(
        &self,
        key: &SoulKey,
        event: &NewEvent,
        change: &mut dyn FnMut(&mut State),
    ) -> Result<State, Error>;

    /// Tells of something that changed no row.
    fn append_event(&self, event: &NewEvent) -> Result<(), Error>;

    /// The soul of the library that is selected, if one is.
    fn selected_soul(&self) -> Result<Option<String>, Error>;
    /// Selects a soul of the library, or none. Durable when it returns; told in an event if it is news.
    fn select_soul(&self, id: Option<&str>, actor: &Party, origin: &Party) -> Result<(), Error>;

    /// Keeps a token, and of its secret the proof. Durable when it returns, and told in an event.
    fn add_token(&self, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error>;
    /// A token, and what was kept of its secret.
    fn token(&self, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error>;
    /// Every token, oldest first.
    fn tokens(&self) -> Result<Vec<Token>, Error>;
    /// Revokes a token; none if there is no such token. Durable when it returns; told in an event if it is news.
    fn revoke_token(&self, id: &TokenId, actor: &Party, origin: &Party) -> Result<Option<Token>, Error>;

    /// Events after one, oldest first.
    fn events(&self, after: i64, limit: usize) -> Result<Vec<Event>, Error>;
    /// The number of the last event but so many.
    fn event_before_last(&self, count: usize) -> Result<i64, Error>;

    /// Everything that the database itself finds wrong.
    fn check(&self) -> Result<Vec<String>, Error>;
}
