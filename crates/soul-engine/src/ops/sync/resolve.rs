//! Resolve a conflict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, NonBlank, given};
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{Error as SyncError, ItemId, Resolution, Sync, SyncResult};

/// Resolve a conflict of a soul: keep the local text (`ours`), take the remote's (`theirs`), or write another one (`body`).
/// Nothing is sent; publish it afterwards. The text that loses stays on record, or in the history of the remote.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the item: `souls/ID` or the id alone, or `agents/NAME`.
    pub item_id: ItemId,
    /// Keep the local text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ours: bool,
    /// Take the remote's text; if the remote deleted the soul, delete it here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub theirs: bool,
    /// The text that is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// Why to take a text whatever the scanner finds, or to delete a soul that is in use (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "sync.resolve";
    const HINTS: Hints = Hints::REPLACE.slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        let resolution = match (self.ours, self.theirs, self.body) {
            (true, false, None) => Resolution::Ours,
            (false, true, None) => Resolution::Theirs,
            (false, false, Some(body)) => Resolution::Text(body.0),
            _ => return Err(SyncError::OneResolution.into()),
        };
        Ok(Sync::begin(context, Self::NAME)?.resolve(&self.item_id, resolution, self.force.as_ref())?)
    }
}
