//! Test whether the remote can be reached.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{self, SyncProbe};

/// Test whether the git remote of the souls can be reached, with the credentials that git knows. Nothing is fetched or
/// changed; a remote that cannot be reached is a response, not an error.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for Request {
    const NAME: &'static str = "sync.probe";
    const HINTS: Hints = Hints::READ.slow();
    type Response = SyncProbe;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<SyncProbe, Error> {
        Ok(sync::probe(context.keeper)?)
    }
}
