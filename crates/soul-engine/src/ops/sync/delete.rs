//! Delete souls on both sides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ops::{Error, Hints, Load, Operation};
use crate::store::Message;
use crate::sync::{ItemId, Sync, SyncResult};

/// Delete souls on the git remote, and then here. Local texts stay on record, and the remote keeps its history. A soul with
/// local changes or in conflict needs `force`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of one item: `souls/ID` or the id alone, or `agents/NAME`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// Ids of items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub item_ids: Vec<ItemId>,
    /// Delete every item on the remote that is missing here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_missing: bool,
    /// Message of the commit.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to delete souls that have local changes, are in conflict or in use (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "sync.delete";
    const HINTS: Hints = Hints::REPLACE.slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        let ids = named(self.item_id, self.item_ids);
        let message = self.message.as_ref().map(Message::as_str);
        Ok(Sync::begin(context, Self::NAME)?.delete(&ids, self.all_missing, message, self.force.as_ref())?)
    }
}
