//! Tell of one session.

use serde::{Deserialize, Serialize};

use super::find;
use crate::Keeper;
use crate::ids::{RunId, SessionId};
use crate::ops::{Error, Grant};
use crate::store::Session;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The session.
    pub session: SessionId,
}

/// What is known of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The session.
    pub session: Session,
    /// A run that it has under way.
    pub live_run: Option<RunId>,
}

/// Finds the session.
///
/// # Errors
/// When there is none.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let session = find(keeper, &request.session)?;
    let live_run = keeper.store()?.live_run(&session.id, keeper.now())?;
    Ok(Response { session, live_run })
}
