//! Sync a memory: one operation with an action, as MCP clients call it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::memory::MemoryOf;
use crate::ops::{Error, Hints, Load, Operation};
use crate::store::Message;
use crate::sync::memory::MemorySync;
use crate::sync::{self, Branch, Error as SyncError, MemorySyncResult, MemorySyncState, RemoteUrl};

/// Sync an agent's memory with its git remote: `push` sends local changes, `pull` merges those of others, `status` fetches
/// and counts both. `init` connects the memory with a remote, and needs a person who administers the keeper.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// What to do.
    pub action: Action,
    /// Address of the repository, for `init`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteUrl>,
    /// The branch, for `init`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
    /// Message of the commit, for `push`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

/// What to do with the remote of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "MemorySyncAction", transform = soul_core::schema::spellings)]
pub enum Action {
    /// Connect the memory with a remote.
    Init,
    /// Send local changes.
    Push,
    /// Merge changes of others.
    Pull,
    /// Fetch, and count what each side lacks.
    Status,
}

/// What was done, or how the memory stands.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemorySyncAnswer")]
pub struct Response {
    /// What was done; absent for `status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MemorySyncResult>,
    /// How the memory stands, for `status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MemorySyncState>,
}

impl Operation for Request {
    const NAME: &'static str = "memory.sync";
    const HINTS: Hints = Hints::ADD.idempotent().slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        match self.action {
            Action::Init => Grant::Admin,
            Action::Push | Action::Pull => Grant::Write,
            Action::Status => Grant::Read,
        }
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { memory, action, remote, branch, message } = self;
        let begin = || MemorySync::begin(context, &memory, Self::NAME);
        let result = match action {
            Action::Init => begin()?.init(remote, branch)?,
            Action::Push => begin()?.push(message.as_ref().map(Message::as_str), None)?,
            Action::Pull => begin()?.pull(None)?,
            Action::Status => {
                let status = sync::memory::status(context.keeper, &memory)?;
                let status = status.ok_or_else(|| SyncError::NoRemote(memory.shown()))?;
                return Ok(Response { result: None, status: Some(status) });
            }
        };
        Ok(Response { result: Some(result), status: None })
    }
}
