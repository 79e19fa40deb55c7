//! Renew the lease of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Response;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::Lease;
use crate::ids::RunId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions;

/// Renew the lease of a live run. One that has expired is for others to claim.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The run.
    pub run_id: RunId,
    /// How many seconds from now the session keeps it.
    #[serde(default)]
    pub lease_seconds: Lease,
}

impl Operation for Request {
    const NAME: &'static str = "task.renew";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { run_id: id, lease_seconds: lease } = self;
        let missing = || sessions::Error::RunNotFound(id.clone());
        let store = context.keeper.existing_store()?.ok_or_else(missing)?;
        let id = sessions::run_id(store, &id)?;
        let author = context.author(Self::NAME);
        let renewed =
            store.renew_run(&id, lease.duration(), &author.actor, &author.origin, context.keeper.lease_now())?;
        Ok(Response { run: Some(renewed.map_err(|refusal| sessions::Error::run_refused(&id, refusal))?) })
    }
}
