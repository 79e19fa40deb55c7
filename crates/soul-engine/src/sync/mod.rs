//! Git sync of souls and memory. A bare clone in the home's `cache/` is the only repository that is written, besides the
//! remote that was named; git is run with a vector of arguments and everything off that a repository could make it run.
//!
//! Souls are merged three ways by item (`decide`), arrive through [`crate::authoring`] and are never overwritten unsynced:
//! what cannot be merged is a conflict until a person resolves it. The state in the home's `sync/` says what both sides had
//! last; it is written before and after, never in between, so that a call that is cut off anywhere is completed by the next
//! one ([docs/sync.md](../../../../docs/sync.md)).

pub mod auto;
mod change;
mod complaints;
mod connection;
mod decide;
mod diff;
mod error;
pub(crate) mod git;
mod init;
mod item;
mod local;
pub(crate) mod memory;
mod objects;
mod publish;
mod pull;
mod remote;
mod repository;
mod result;
mod retry;
mod run;
mod state;
mod status;

pub use auto::AutoSync;
pub(crate) use change::Resolution;
pub use connection::{SyncCommitter, SyncConfig, SyncProbe, SyncSchedule};
pub(crate) use connection::{config, probe};
pub(crate) use diff::diff;
pub use diff::{Passage, SyncDiff};
pub use error::Error;
pub(crate) use init::init;
pub use item::ItemId;
pub use memory::{LostText, MemorySyncResult, MemorySyncState};
pub(crate) use publish::Which;
pub use remote::{BadBranch, BadRemote, Branch, RemoteUrl};
pub(crate) use repository::QUIET_RECEIVE;
pub use result::{ItemError, Renamed, SyncResult};
pub(crate) use run::Sync;
pub(crate) use status::status;
pub use status::{ConflictReason, Counts, Item, ItemStatus, Refusal, Summary, SyncStatus};
