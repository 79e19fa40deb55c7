//! Show both sides of a soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::sync::{self, ItemId, SyncDiff};

/// Show the local text of a soul beside the other one: the remote's of a conflict, else the one that was synced last.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the item: `souls/ID` or the id alone, or `agents/NAME`.
    pub item_id: ItemId,
}

impl Operation for Request {
    const NAME: &'static str = "sync.diff";
    const HINTS: Hints = Hints::READ.slow();
    type Response = SyncDiff;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<SyncDiff, Error> {
        Ok(sync::diff(context.keeper, &self.item_id)?)
    }
}
