//! Bring changes of a memory's remote here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::memory::MemoryOf;
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::MemorySyncResult;
use crate::sync::memory::MemorySync;

/// Fetch the git remote of an agent's memory and merge its changes into the files. Daily logs and lists keep what both
/// sides wrote; of a line that both changed the last writer's stays, and the other one is kept and named.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// Why to take texts whatever the scanner finds.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "memory.pull";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = MemorySyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    fn run(self, context: &Context<'_>) -> Result<MemorySyncResult, Error> {
        Ok(MemorySync::begin(context, &self.memory, Self::NAME)?.pull(self.force.as_ref())?)
    }
}
