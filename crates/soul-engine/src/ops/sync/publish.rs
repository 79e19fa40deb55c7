//! Send local changes to the remote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ops::{Error, Hints, Load, Operation};
use crate::store::Message;
use crate::sync::{Error as SyncError, ItemId, Sync, SyncResult, Which};

/// Send local changes of souls to the git remote, in one commit. If others have pushed, their changes are merged and it is
/// tried again; a conflict stops it, and nothing is sent. It is done only when the remote has the commit.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of one item: `souls/ID` or the id alone, or `agents/NAME`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// Ids of items; none of them and no `item_id` means with `all` every modified or untracked item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_ids: Option<Vec<ItemId>>,
    /// Publish every modified or untracked item.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// Message of the commit.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Publish the local text of an item in conflict over the remote's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
}

impl Operation for Request {
    const NAME: &'static str = "sync.publish";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        let is_listed = self.item_ids.is_some();
        let ids = named(self.item_id, self.item_ids.into_iter().flatten());
        let which = match (ids.is_empty(), self.all) {
            (false, _) => Which::Items(ids),
            (true, true) if !is_listed => Which::All,
            (true, _) => return Err(SyncError::NoItems.into()),
        };
        let message = self.message.as_ref().map(Message::as_str);
        Ok(Sync::begin(context, Self::NAME)?.publish(&which, message, self.force)?)
    }
}
