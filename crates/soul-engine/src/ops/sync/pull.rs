//! Bring changes of the remote here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verdict;
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation, Verdict};
use crate::sync::{Sync, SyncResult};

/// Fetch the git remote and bring its changes here: new and changed souls, merged with local changes; renames; deletions
/// as proposals. Each change is validated, scanned and recorded. What cannot be merged stays a conflict until it is
/// resolved; local text that was not synced is never overwritten.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for Request {
    const NAME: &'static str = "sync.pull";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = SyncResult;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn verdict(response: &SyncResult) -> Verdict {
        verdict(response)
    }

    fn run(self, context: &Context<'_>) -> Result<SyncResult, Error> {
        Ok(Sync::begin(context, Self::NAME)?.pull()?)
    }
}
