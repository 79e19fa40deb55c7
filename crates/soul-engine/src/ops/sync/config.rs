//! Show where souls are synced.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::sync::{self, SyncConfig};

/// Show the git remote that souls are synced with, without credentials, and what the service does by itself. Nothing is
/// fetched.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for Request {
    const NAME: &'static str = "sync.config";
    const HINTS: Hints = Hints::READ;
    type Response = SyncConfig;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<SyncConfig, Error> {
        Ok(sync::config(context.keeper)?)
    }
}
