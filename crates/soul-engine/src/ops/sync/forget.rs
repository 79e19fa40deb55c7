//! Drop what is known of items.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{ItemId, Sync, SyncResult};

/// Forget what sync knows of items that are missing, untracked or in conflict. No soul changes, here or on the remote; the
/// next pull looks at them as if for the first time.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of one item: `souls/ID` or the id alone, or `agents/NAME`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// Ids of items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub item_ids: Vec<ItemId>,
    /// Forget every missing item.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_missing: bool,
}

impl Operation for Request {
    const NAME: &'static str = "sync.forget";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        let ids = named(self.item_id, self.item_ids);
        Ok(Sync::begin(context, Self::NAME)?.forget(&ids, self.all_missing)?)
    }
}
