//! Connect a memory with a git remote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::memory::MemoryOf;
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::memory::MemorySync;
use crate::sync::{Branch, MemorySyncResult, RemoteUrl};

/// Connect an agent's memory with a git remote of its own. Nothing is changed or sent yet; push and pull do that. A remote
/// that `soul.json` names is used only after this.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// Address of the repository: a URL, `user@host:path`, or an absolute path. Default: `memory.sync.remote` of
    /// `soul.json`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteUrl>,
    /// The branch. Default: `memory.sync.branch` of `soul.json`, or `main`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
}

impl Operation for Request {
    const NAME: &'static str = "memory.init";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = MemorySyncResult;

    /// It decides where a memory is sent.
    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    fn run(self, context: &Context<'_>) -> Result<MemorySyncResult, Error> {
        Ok(MemorySync::begin(context, &self.memory, Self::NAME)?.init(self.remote, self.branch)?)
    }
}
