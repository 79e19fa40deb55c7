//! Go on with a session, on the soul that it was bound to.

use super::{Response, Turn, find, snapshot};
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

/// Makes the session live, if it was stopped. No file is read.
///
/// # Errors
/// When there is no such session, or its snapshot is not whole.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { session: id, asker } = request;
    snapshot(keeper, &find(keeper, &id)?)?;
    let turned =
        keeper.store()?.set_session_state(&id, SessionState::Active, &asker.actor, &asker.origin, keeper.now())?;
    Response::new(keeper, turned.map_err(|refusal| Error::session(&id, refusal))?, Turn::Begin)
}
