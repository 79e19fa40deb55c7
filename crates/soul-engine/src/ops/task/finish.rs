//! End a run, and with it the task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Response;
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::RunId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions;
use crate::store::Outcome;

/// End a run, and with it the task.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The run.
    pub run_id: RunId,
    /// The task failed.
    #[serde(default)]
    pub failed: bool,
}

impl Operation for Request {
    const NAME: &'static str = "task.finish";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let id = self.run_id;
        let missing = || sessions::Error::RunNotFound(id.clone());
        let store = context.keeper.existing_store()?.ok_or_else(missing)?;
        let id = sessions::run_id(store, &id)?;
        let outcome = if self.failed { Outcome::Failed } else { Outcome::Done };
        let author = context.author(Self::NAME);
        let finished = store.finish_run(&id, outcome, &author.actor, &author.origin, context.keeper.lease_now())?;
        Ok(Response { run: Some(finished.map_err(|refusal| sessions::Error::run_refused(&id, refusal))?) })
    }
}
