//! Show a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ids::{RunId, SessionId};
use crate::ops::{Error, Hints, Operation};
use crate::sessions::{self, Behind};
use crate::store::Session;

/// Show a session, whether it has a live run, and whether it is behind its soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
}

/// A session, and its live run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SessionDetail")]
pub struct Response {
    /// The session.
    pub session: Session,
    /// A run that has not ended and whose lease has not expired.
    pub live_run: Option<RunId>,
    /// Whether the agent's soul has changed since the session was bound to it; `null` if there is nothing to compare.
    pub behind: Option<bool>,
}

impl Operation for Request {
    const NAME: &'static str = "session.show";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let session = sessions::find(context.keeper, &self.session_id)?;
        let live_run = context.keeper.store()?.live_run(&session.id, context.keeper.lease_now())?;
        let behind = Behind::new(context.keeper).of(&session)?;
        Ok(Response { session, live_run, behind })
    }
}
