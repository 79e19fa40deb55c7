//! Stop a session.

use super::{Response, Turn, find};
use crate::Keeper;
use crate::ids::SessionId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::SessionState;
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The session.
    pub session: SessionId,
    /// Who asks.
    pub asker: Asker,
}

/// Stops the session; one that is stopped stays so.
///
/// # Errors
/// When there is no such session.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { session: id, asker } = request;
    find(keeper, &id)?;
    let turned =
        keeper.store()?.set_session_state(&id, SessionState::Stopped, &asker.actor, &asker.origin, keeper.now())?;
    Response::new(keeper, turned.map_err(|refusal| Error::session(&id, refusal))?, Turn::End)
}
