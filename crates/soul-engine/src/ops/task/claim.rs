//! Take the oldest task that waits. Of many who ask at once, one gets it.

use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::Response;
use crate::Keeper;
use crate::ids::SessionId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// For which session, and for how long.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The session.
    pub session: SessionId,
    /// How long the session has it before others may.
    pub lease: Duration,
    /// Who asks.
    pub asker: Asker,
}

/// Takes a task, if one waits. No file is read: who the session is stands in its row.
///
/// # Errors
/// When there is no such session, or it has been stopped.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { session, lease, asker } = request;
    crate::ops::session::find(keeper, &session)?;
    let claimed = keeper.store()?.claim_run(&session, lease, &asker.actor, &asker.origin, keeper.now())?;
    Ok(Response { run: claimed.map_err(|refusal| Error::session(&session, refusal))? })
}
