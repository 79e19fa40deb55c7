//! Rename a soul on both sides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ops::{Error, Hints, Load, Operation};
use crate::store::Message;
use crate::sync::{ItemId, Sync, SyncResult};

/// Rename a soul here and on the git remote. If its file has the new name already, the remote follows.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the item: `souls/ID` or the id alone, or `agents/NAME`.
    pub item_id: ItemId,
    /// The new id, of the same kind.
    pub new_item_id: ItemId,
    /// Message of the commit.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to move a soul that is in conflict or in use (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "sync.move";
    const HINTS: Hints = Hints::REPLACE.slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        let message = self.message.as_ref().map(Message::as_str);
        let mut sync = Sync::begin(context, Self::NAME)?;
        Ok(sync.rename(&self.item_id, &self.new_item_id, message, self.force.as_ref())?)
    }
}
