//! Send changes of a memory to its remote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::memory::MemoryOf;
use crate::ops::{Error, Hints, Load, Operation};
use crate::store::Message;
use crate::sync::MemorySyncResult;
use crate::sync::memory::MemorySync;

/// Send the changes of an agent's memory to its git remote, on top of what others have sent. It is done only when the
/// remote has the commit. Live state (`memory/runtime/`) stays here.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// Message of the commit.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to take texts of the remote whatever the scanner finds.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "memory.push";
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
        let message = self.message.as_ref().map(Message::as_str);
        Ok(MemorySync::begin(context, &self.memory, Self::NAME)?.push(message, self.force.as_ref())?)
    }
}
