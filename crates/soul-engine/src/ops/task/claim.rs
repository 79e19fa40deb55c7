//! Claim the oldest waiting task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Response;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::Lease;
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions;

/// Claim the oldest waiting task for a session. Of many concurrent claims, one succeeds.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session that claims it.
    pub session_id: SessionId,
    /// How many seconds the session has it before others may claim it.
    #[serde(default)]
    pub lease_seconds: Lease,
}

impl Operation for Request {
    const NAME: &'static str = "task.claim";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    /// No file is read: the soul of the session is in its row.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { session_id: id, lease_seconds: lease } = self;
        let keeper = context.keeper;
        let id = sessions::find(keeper, &id)?.id;
        let author = context.author(Self::NAME);
        let claimed =
            keeper.store()?.claim_run(&id, lease.duration(), &author.actor, &author.origin, keeper.lease_now())?;
        Ok(Response { run: claimed.map_err(|refusal| sessions::Error::refused(&id, refusal))? })
    }
}
