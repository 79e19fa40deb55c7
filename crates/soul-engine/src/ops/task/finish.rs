//! End a run, and with it the task.

use super::Response;
use crate::Keeper;
use crate::ids::RunId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::Outcome;
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which run, and how it ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The run.
    pub run: RunId,
    /// How it ended.
    pub outcome: Outcome,
    /// Who asks.
    pub asker: Asker,
}

/// Ends the run.
///
/// # Errors
/// When there is no such run, or it is over.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { run: id, outcome, asker } = request;
    let store = keeper.existing_store()?.ok_or_else(|| Error::RunNotFound(id.clone()))?;
    let finished = store.finish_run(&id, outcome, &asker.actor, &asker.origin, keeper.now())?;
    Ok(Response { run: Some(finished.map_err(|refusal| Error::run(&id, refusal))?) })
}
