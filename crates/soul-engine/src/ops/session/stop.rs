//! Stop a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Hook, Response};
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions;
use crate::store::SessionState;

/// Stop a session. One that is stopped stays so.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
}

impl Operation for Request {
    const NAME: &'static str = "session.stop";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (keeper, id) = (context.keeper, self.session_id);
        let id = sessions::find(keeper, &id)?.id;
        let author = context.author(Self::NAME);
        let changed = keeper.store()?.set_session_state(
            &id,
            SessionState::Stopped,
            &author.actor,
            &author.origin,
            keeper.now(),
        )?;
        Response::new(keeper, changed.map_err(|refusal| sessions::Error::refused(&id, refusal))?, Hook::Teardown)
    }
}
