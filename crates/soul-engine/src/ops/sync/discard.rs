//! Replace local changes by what the remote has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{ItemId, Sync, SyncResult};

/// Replace the local text of a soul by what the git remote had at the last sync. The local text stays on record, and
/// `rollback` brings it back.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the item: `souls/ID` or the id alone, or `agents/NAME`.
    pub item_id: ItemId,
    /// Why to take the remote's text whatever the scanner finds, or to delete a soul that is in use (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "sync.discard";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        Ok(Sync::begin(context, Self::NAME)?.discard(&[self.item_id], self.force.as_ref())?)
    }
}
