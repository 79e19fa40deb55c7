//! Continue a stopped session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Hook, Response};
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions;
use crate::store::SessionState;

/// Continue a stopped session on the soul that it was bound to. No file is read.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
}

impl Operation for Request {
    const NAME: &'static str = "session.resume";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let session = sessions::find(keeper, &self.session_id)?;
        let id = session.id.clone();
        // A snapshot that is damaged is found before anything changes.
        sessions::snapshot(keeper, &session)?;
        let author = context.author(Self::NAME);
        let changed = keeper.store()?.set_session_state(
            &id,
            SessionState::Active,
            &author.actor,
            &author.origin,
            keeper.now(),
        )?;
        Response::new(keeper, changed.map_err(|refusal| sessions::Error::refused(&id, refusal))?, Hook::Bootstrap)
    }
}
