//! Keep a run for longer.

use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::Response;
use crate::Keeper;
use crate::ids::RunId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which run, and for how long.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The run.
    pub run: RunId,
    /// How long from now.
    pub lease: Duration,
    /// Who asks.
    pub asker: Asker,
}

/// Renews the lease.
///
/// # Errors
/// When there is no such run, or it is over: what has expired is others' to take.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { run: id, lease, asker } = request;
    let store = keeper.existing_store()?.ok_or_else(|| Error::RunNotFound(id.clone()))?;
    let renewed = store.renew_run(&id, lease, &asker.actor, &asker.origin, keeper.now())?;
    Ok(Response { run: Some(renewed.map_err(|refusal| Error::run(&id, refusal))?) })
}
