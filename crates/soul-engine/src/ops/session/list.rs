//! List sessions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{BadCursor, Cursor, Limit, given};
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Operation};
use crate::sessions::Behind;
use crate::store::{Session, SessionState};
use crate::workspace::AgentName;

/// List sessions, newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only sessions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// Only sessions in this state.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<SessionState>,
    /// The largest number of sessions.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// A page of sessions, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SessionPage")]
pub struct Response {
    /// The sessions.
    pub sessions: Vec<ListedSession>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<Cursor>,
}

/// A session, and whether its agent's soul has changed since.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ListedSession {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// Whether the agent's soul has changed since the session was bound to it; `null` if there is nothing to compare.
    pub behind: Option<bool>,
}

impl Operation for Request {
    const NAME: &'static str = "session.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let agent = self.agent.as_ref().map(AgentName::as_str);
        let Some(store) = context.keeper.existing_store()? else {
            return Ok(Response { sessions: Vec::new(), next_cursor: None });
        };
        let before: Option<SessionId> = self.cursor.as_ref().map(|cursor| cursor.as_str().to_owned().into());
        if let Some(id) = &before
            && store.session(id)?.is_none()
        {
            return Err(BadCursor(id.as_str().to_owned()).into());
        }
        let mut page = store.sessions(agent, self.state, before.as_ref(), self.limit.and_one())?;
        let more = self.limit.cut(&mut page);
        let next_cursor = page.last().filter(|_| more.is_some()).map(|last| Cursor::new(last.id.as_str()));
        let mut behind = Behind::new(context.keeper);
        let listed = |session| Ok(ListedSession { behind: behind.of(&session)?, session });
        let sessions = page.into_iter().map(listed).collect::<Result<_, Error>>()?;
        Ok(Response { sessions, next_cursor })
    }
}
