//! List sessions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::sigil::Parts;

use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{BadCursor, Cursor, Limit, given};
use crate::ids::{RunId, SessionId};
use crate::ops::{Error, Hints, Operation};
use crate::sessions::Behind;
use crate::souls::captured;
use crate::store::{self, Session, SessionState};
use crate::workspace::{AgentName, Kind, SoulKey};

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
    /// The colour of the soul's sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// The digest of each part of the soul that the session is bound to; absent if it is bound to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The same of the agent's soul as it is now; absent if there is no valid one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_parts: Option<Parts>,
    /// The run that it is working on; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
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
        let now = context.keeper.lease_now();
        let listed = |session: Session| {
            let is_active = session.state == SessionState::Active;
            Ok(ListedSession {
                behind: behind.of(&session)?,
                hue: hue(context.keeper, &session),
                parts: parts(context.keeper, &session)?,
                current_parts: behind.current_parts(&session),
                run: if is_active { store.live_run(&session.id, now)? } else { None },
                session,
            })
        };
        let sessions = page.into_iter().map(listed).collect::<Result<_, Error>>()?;
        Ok(Response { sessions, next_cursor })
    }
}

/// The colour of the soul that a session runs on: its agent's, or one of the library.
fn hue(keeper: &Keeper, session: &Session) -> u8 {
    let library = || {
        let name = session.soul_source.as_ref().map(|source| source.id.clone())?;
        Some(SoulKey { scope: keeper.roots.home_scope(), kind: Kind::Library, name })
    };
    session.key().or_else(library).map_or(0, |key| key.hue())
}

/// The parts of the soul that a session is bound to.
fn parts(keeper: &Keeper, session: &Session) -> Result<Option<Parts>, store::Error> {
    let Some(id) = &session.soul_snapshot_id else { return Ok(None) };
    let read = || {
        let snapshot = keeper.store()?.snapshot(id)?;
        let lost = || store::Error::Damaged(format!("the snapshot {id} is missing").into());
        Ok(Parts::of(&captured(&snapshot.ok_or_else(lost)?)?.soul()))
    };
    // A session whose snapshot cannot be read is still one.
    keeper.captured_parts.get(id.clone(), read).map(Some).or_else(|error: store::Error| match error {
        store::Error::Damaged(_) => Ok(None),
        error => Err(error),
    })
}
