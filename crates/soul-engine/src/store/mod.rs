//! What is recorded: revisions, snapshots, sessions, tasks, tokens, personas and events.
//!
//! One small trait whose methods are whole transactions, so that what one checks and what it changes
//! cannot come apart. One that refuses changes nothing. Nothing here reads a file of an agent or asks
//! for the time: callers pass it in.

mod chain;
mod checks;
mod counts;
mod engine;
mod error;
mod event;
mod events;
mod in_use;
mod lineage;
mod locks;
mod mark;
mod migration;
mod opened;
mod page;
mod persona;
mod personas;
mod place;
mod places;
#[cfg(feature = "postgres")]
mod postgres;
mod proposal;
mod proposals;
mod receipt;
mod receipts;
mod repair;
mod repairs;
mod revision;
mod revisions;
mod seal;
mod seals;
mod session;
mod sessions;
mod settings;
mod snapshot;
mod snapshots;
mod sql;
mod sqlite;
mod statements;
mod tables;
mod task;
mod tasks;
mod texts;
mod token;
mod tokens;
mod url;
mod value;
mod values;

use std::any::Any;
use std::path::Path;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::persona::State;

pub use chain::{ChainVersion, UnknownChainVersion};
pub use counts::{StoreCounts, TableCount};
pub use error::{Detail, Error};
pub use event::{Event, EventDetail, EventFilter, EventFinding, EventKind, NewEvent};
pub(crate) use in_use::alone;
pub use mark::NotedBackup;
pub(crate) use mark::{Mark, Noted};
pub(crate) use migration::{Copied, Migration};
pub use migration::{CopiedTable, MigrationError};
use opened::Opened;
pub(crate) use page::{PageBytes, PageItem, json_bytes};
pub use persona::{Adaptation, Mutation, NewMutation, Revert};
pub use place::{Link, NewFork, NewPlace, Place, PlaceId, ScopeRecord};
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
pub use proposal::{NewProposal, Proposal, ProposalState, Proposed, ProposedText, Reviewed, Verdict};
pub use receipt::{GivenPrompt, LayerReceipt, PromptMaker, StoredReceipt};
pub use repair::{LinkProblem, NewRepair, Repair, check_link};
pub use revision::{Action, Broken, Draft, InvalidMessage, Message, Party, Revision, Sealed};
pub use session::{
    Binding, FilledSlot, NewSession, Reason, Session, SessionState, SkippedSoul, SoulSource, SoulStatus, Surroundings,
};
pub use snapshot::{NewSnapshot, Profile, Snapshot};
pub use sqlite::Sqlite;
pub use task::{Outcome, Run, RunFilter, RunState, Task, TaskRun, TaskState};
pub use texts::{SettledText, StoredText, Texts};
pub use token::{Role, Token, UnknownRole};
pub use url::{BadStoreUrl, PostgresUrl, StoreUrl};

use crate::clock::{Now, Time};
use crate::ids::{MutationId, ProposalId, RevisionId, RunId, SessionId, SnapshotId, TaskId, TokenId};
use crate::workspace::SoulKey;

/// A row that is not what was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RecordProblem")]
pub struct Problem {
    /// The table.
    pub table: String,
    /// The id of the row, or what names it.
    pub id: String,
    /// What is wrong.
    pub problem: String,
}

/// Why a transaction refused what it was asked for. It was rolled back: nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such session.
    NoSession,
    /// The session has been stopped.
    Stopped,
    /// The session is bound to another soul than was expected: to this one.
    OtherDigest(Option<Digest>),
    /// The session has a live run.
    LiveRun(RunId),
    /// There is no such run.
    NoRun,
    /// The run is over.
    RunOver(RunState),
}

/// The result of a transaction that may refuse.
pub type Decided<T> = Result<Result<T, Refusal>, Error>;

/// The end of a soul's record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tail {
    /// The last revision that is done.
    pub last: Option<Revision>,
    /// The newest revision, if it is pending.
    pub pending: Option<Revision>,
    /// Pending revisions that others were chained onto, which earlier versions could do.
    pub stuck: Vec<Revision>,
}

/// A lock on a soul that all directories of one record share. Released when it is dropped, and when the process dies.
pub struct SoulLock(#[expect(dead_code, reason = "held, not used")] Box<dyn Any + Send + Sync>);

impl SoulLock {
    pub(crate) fn new(held: impl Any + Send + Sync) -> Self {
        Self(Box::new(held))
    }
}

/// What is searched for a name that was given in part.
#[derive(Debug, Clone, Copy)]
pub enum Among<'a> {
    /// The revisions of a soul.
    Revisions(&'a SoulKey),
    /// The digests of a soul, canonical and raw; the text begins with `sha256:`.
    Digests(&'a SoulKey),
    /// All sessions.
    Sessions,
    /// All runs.
    Runs,
    /// The recorded steps of a persona.
    Mutations(&'a SoulKey),
    /// All tokens.
    Tokens,
    /// All proposals.
    Proposals,
}

/// How a pending revision ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Its text is in place.
    Done,
    /// Its text never came into place; the row goes.
    Dropped,
}

/// How many may look at the version of a store at once without waiting for each other.
pub(crate) const WINDOWS: usize = 4;

/// Opens the store at a URL; it is made if it is not there. The home has what must be on this machine.
pub(crate) fn open(url: &StoreUrl, home: &Path) -> Result<Box<dyn Store>, Error> {
    let opened = Opened::open(url, home)?;
    if opened.is_unfinished()? { Err(Error::Unfinished) } else { Ok(opened.into_store()) }
}

/// The store of one keeper. Readers see revisions that are done only.
pub trait Store: Send + Sync {
    /// Locks a soul against changes from every directory that shares its record; the library is locked as one. Waits
    /// until then, if given. `None` if someone else has the lock.
    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error>;
    /// Records a change after the revision that the draft names; `None`, and nothing has changed, if the record ends
    /// with another one or with one that is pending. Durable when it returns. The revision stays pending and
    /// invisible until it is settled; an adopted one is done at once.
    fn append_revision(&self, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Option<Revision>, Error>;
    /// Ends a pending revision and adds the event. False if it was no longer there.
    fn settle_revision(&self, revision: &Revision, settled: Settled, now: Time) -> Result<bool, Error>;
    /// The end of a soul's record. Only pending revisions have their bodies.
    fn tail(&self, key: &SoulKey) -> Result<Tail, Error>;
    /// The dialect that a soul is pinned to: by its last revision that has one, or else by its first snapshot.
    fn pinned_dialect(&self, key: &SoulKey) -> Result<Option<Dialect>, Error>;
    /// A revision of a soul, with its body.
    fn revision(&self, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error>;
    /// Ids or digests that begin with a text, in order, at most so many of them.
    fn beginning_with(&self, among: Among<'_>, start: &str, limit: usize) -> Result<Vec<String>, Error>;
    /// The revision that was made under an idempotency key.
    fn repeated_revision(&self, key: &SoulKey, idempotency_key: &str) -> Result<Option<Revision>, Error>;
    /// Revisions before one, newest first. Like every page, it ends early after the entry that makes it too large.
    fn history(&self, key: &SoulKey, before: Option<i64>, limit: usize, bodies: bool) -> Result<Vec<Revision>, Error>;
    /// Every soul that has a revision, of its own or of the record that it continues.
    fn souls(&self) -> Result<Vec<SoulKey>, Error>;
    /// Revisions after one, oldest first, with bodies, as an audit reads them; none after the last. A page may end
    /// early.
    fn chain(&self, key: &SoulKey, after: i64, limit: usize) -> Result<Vec<Result<Revision, Broken>>, Error>;

    /// The record that a soul continues, if its workspace was forked: the scope of the parent, and the last revision
    /// that they have in common.
    fn forked_from(&self, key: &SoulKey) -> Result<Option<(String, Link)>, Error>;
    /// Links of a soul's chain that were accepted although they are broken.
    fn repairs(&self, key: &SoulKey) -> Result<Vec<Repair>, Error>;
    /// Revisions of a soul that were dropped because their text never came into place.
    fn dropped_revisions(&self, key: &SoulKey) -> Result<Vec<RevisionId>, Error>;
    /// Accepts broken links, and settles stuck revisions as done. Durable when it returns.
    fn repair(&self, repair: &NewRepair) -> Result<(), Error>;

    /// The places of a scope.
    fn places(&self, scope: &str) -> Result<Vec<Place>, Error>;
    /// The places of any scope that were last at this path.
    fn places_at(&self, path: &Path) -> Result<Vec<Place>, Error>;
    /// The place that a pending revision is being written in, if it was recorded.
    fn pending_place(&self, id: &RevisionId) -> Result<Option<Place>, Error>;
    /// Until when others wait for the writer of a pending revision.
    fn pending_until(&self, id: &RevisionId) -> Result<Option<Time>, Error>;
    /// Binds a directory to a scope. `None` if the places of the scope are no longer those that are known.
    fn bind_place(&self, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error>;
    /// Lets a new scope continue the record of another from where that is now, with the personas of its agents.
    /// Returns how many souls it continues. Durable when it returns.
    fn fork_scope(&self, fork: &NewFork<'_>) -> Result<usize, Error>;
    /// What is recorded of every workspace, by scope.
    fn scopes(&self) -> Result<Vec<ScopeRecord>, Error>;
    /// The chain of a revision by its number, whether it is done or still pending.
    fn link(&self, key: &SoulKey, seq: i64) -> Result<Option<Digest>, Error>;

    /// A snapshot with its files. One that differs from what was recorded is an error.
    fn snapshot(&self, id: &SnapshotId) -> Result<Option<Snapshot>, Error>;
    /// Ids of snapshots after one, in order.
    fn snapshot_ids(&self, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error>;

    /// Starts a session that is bound to a resolved soul.
    fn start_session(&self, session: &NewSession, binding: &Binding) -> Result<Session, Error>;
    /// Binds an idle session anew, if it still has the digest that the caller expected.
    fn refresh_session(
        &self,
        id: &SessionId,
        expected: Option<&str>,
        binding: &Binding,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Session>;
    /// Stops a session, or resumes a stopped one.
    fn set_session_state(
        &self,
        id: &SessionId,
        state: SessionState,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Session>;
    /// A session.
    fn session(&self, id: &SessionId) -> Result<Option<Session>, Error>;
    /// What reaches a session besides its soul.
    fn surroundings(&self, id: &SessionId) -> Result<Option<Surroundings>, Error>;
    /// Sessions before one, newest first.
    fn sessions(
        &self,
        agent: Option<&str>,
        state: Option<SessionState>,
        before: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Session>, Error>;
    /// What a session was given, each time that its soul was resolved; without one, what all were given. Newest first.
    fn receipts(&self, session: Option<&SessionId>, limit: usize) -> Result<Vec<StoredReceipt>, Error>;
    /// A run of the session whose lease has not expired.
    fn live_run(&self, session: &SessionId, now: Now) -> Result<Option<RunId>, Error>;

    /// Adds a task, for one agent or for any.
    fn add_task(&self, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error>;
    /// Gives the oldest queued task to a session, and records in the run which soul the session has. Runs
    /// whose lease has expired are ended first, and their tasks queued again.
    fn claim_run(
        &self,
        session: &SessionId,
        lease: Duration,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Option<Run>>;
    /// Extends the lease of a live run.
    fn renew_run(&self, id: &RunId, lease: Duration, actor: &Party, origin: &Party, now: Now) -> Decided<Run>;
    /// Ends a live run.
    fn finish_run(&self, id: &RunId, outcome: Outcome, actor: &Party, origin: &Party, now: Now) -> Decided<Run>;
    /// Runs before one, newest first.
    fn runs(&self, filter: &RunFilter, before: Option<&RunId>, limit: usize) -> Result<Vec<Run>, Error>;
    /// Tasks with their newest runs, oldest first; none if there is no task with the id that they are to come after.
    fn tasks(&self, state: Option<TaskState>, after: Option<&TaskId>, limit: usize)
    -> Result<Option<Vec<Task>>, Error>;

    /// What has changed a persona and still counts: one indexed read.
    fn persona(&self, key: &SoulKey) -> Result<State, Error>;
    /// Adapts a trait as far as the session's budget and the bounds allow, and records it. A step that moves
    /// nothing leaves no trace.
    fn adapt_persona(&self, new: &NewMutation) -> Result<Adaptation, Error>;
    /// Steps before one, newest first.
    fn mutations(&self, key: &SoulKey, before: Option<i64>, limit: usize) -> Result<Vec<Mutation>, Error>;
    /// Reverts every step after one, newest first; without one, all of them, and mood and overlays too. None
    /// if there is no such step, or it was reverted itself.
    fn revert_persona(&self, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error>;
    /// Changes a persona, and adds the event if that made a difference.
    fn change_persona(
        &self,
        key: &SoulKey,
        event: &NewEvent,
        now: Time,
        change: &mut dyn FnMut(&mut State),
    ) -> Result<State, Error>;

    /// Adds an event that changes no row.
    fn append_event(&self, event: &NewEvent, now: Time) -> Result<(), Error>;

    /// The selected soul of the library, if one is.
    fn selected_soul(&self) -> Result<Option<String>, Error>;
    /// Selects a soul of the library, or none. Durable when it returns.
    fn select_soul(&self, id: Option<&str>, actor: &Party, origin: &Party, now: Time) -> Result<(), Error>;

    /// Adds a token with the digest of its secret. Durable when it returns.
    fn add_token(&self, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error>;
    /// A token and the digest of its secret.
    fn token(&self, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error>;
    /// Every token, oldest first.
    fn tokens(&self) -> Result<Vec<Token>, Error>;
    /// Revokes a token; none if there is no such token. Durable when it returns.
    fn revoke_token(&self, id: &TokenId, actor: &Party, origin: &Party, now: Time) -> Result<Option<Token>, Error>;

    /// Keeps a proposed change of a soul, unless the same one is pending already or too many are. Durable when it
    /// returns.
    fn propose(&self, new: &NewProposal) -> Result<Proposed, Error>;
    /// A proposal, with its texts.
    fn proposal(&self, id: &ProposalId) -> Result<Option<(Proposal, ProposedText)>, Error>;
    /// Proposals before one, newest first.
    fn proposals(
        &self,
        agent: Option<&str>,
        state: Option<ProposalState>,
        before: Option<&ProposalId>,
        limit: usize,
    ) -> Result<Vec<Proposal>, Error>;
    /// Accepts or rejects a proposal; none if it is not pending any more. Durable when it returns.
    fn review_proposal(&self, id: &ProposalId, verdict: &Verdict) -> Result<Reviewed, Error>;

    /// Events after one, oldest first.
    fn events(&self, filter: &EventFilter, after: i64, limit: usize) -> Result<Vec<Event>, Error>;
    /// The number of the event before the last `count` ones; 0 if there are not more.
    fn event_before_last(&self, filter: &EventFilter, count: usize) -> Result<i64, Error>;

    /// A number that changes with every commit, no matter who makes it. Waits for no writer. Numbers can be compared that
    /// were seen through the same window, of which there are [`WINDOWS`].
    fn version(&self, window: usize) -> Result<i64, Error>;

    /// Waits until someone says that something happened since `seen`, a number that an earlier call returned, or until
    /// it is time to look anyway.
    fn wait_for_news(&self, seen: u64, patience: Duration) -> u64;

    /// The texts of souls, if it keeps them.
    fn texts(&self) -> Option<&dyn Texts>;

    /// The id of the store; none in one of an earlier version that cannot be migrated.
    fn id(&self) -> Result<Option<String>, Error>;
    /// How much is in it.
    fn counts(&self) -> Result<StoreCounts, Error>;
    /// Everything that the database itself finds wrong.
    fn check(&self) -> Result<Vec<String>, Error>;
    /// Rows that are not as they were written, or that refer to what is not there. Revisions are for
    /// [`Store::chain`] to show, and snapshots for [`Store::snapshot`].
    fn problems(&self) -> Result<Vec<Problem>, Error>;
    /// Copies the whole store as it is now into a new SQLite file. Others may go on writing meanwhile.
    fn copy_to(&self, file: &Path) -> Result<(), Error>;
}
