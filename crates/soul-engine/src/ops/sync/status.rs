//! Show how souls stand with the remote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::sync::{self, SyncStatus};

/// Show how souls stand with the git remote: synced, modified, untracked, conflict or missing. Nothing is fetched; `pull`
/// looks at the remote.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for Request {
    const NAME: &'static str = "sync.status";
    const HINTS: Hints = Hints::READ;
    type Response = SyncStatus;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<SyncStatus, Error> {
        Ok(sync::status(context.keeper)?)
    }
}
