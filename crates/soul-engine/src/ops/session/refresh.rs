//! Bind an idle session to its soul as it is now.
//!
//! What can fail is done first. The change that follows is one transaction which checks again: it happens whole
//! or not at all, whatever becomes of the client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Bound;
use crate::authoring::{self, Conflict};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, given};
use crate::ids::SessionId;
use crate::library::chain::Wanted;
use crate::ops::{Error, Hints, Operation, receipt};
use crate::sessions::{self, resolve, resolve_library};
use crate::souls;
use crate::store::{Reason, SessionState};

/// Bind an idle session to its soul as it is now: the agent's own, the library soul that was asked for, or the
/// selected one. A session with a live run keeps its soul, and so does one whose file is invalid.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
    /// The digest of the soul that the session is bound to, as you have seen it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
}

impl Operation for Request {
    const NAME: &'static str = "session.refresh";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Bound;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Bound, Error> {
        let Self { session_id, expected_digest } = self;
        let keeper = context.keeper;
        let session = sessions::find(keeper, &session_id)?;
        let id = session.id.clone();
        if session.state == SessionState::Stopped {
            return Err(sessions::Error::SessionStopped(id).into());
        }
        let current_digest = session.soul_digest.map(|digest| digest.to_string());
        let conflict = |conflict| authoring::Error::Conflict { conflict, current_digest: current_digest.clone() };
        if expected_digest.as_ref().is_some_and(|expected| !expected.matches(session.soul_digest, None)) {
            return Err(conflict(Conflict::OtherSession).into());
        }
        let store = keeper.store()?;
        if let Some(run) = store.live_run(&id, keeper.lease_now())? {
            return Err(conflict(Conflict::LiveRun(run)).into());
        }
        let (soul, binding) = match (session.key(), &session.soul_source) {
            (Some(key), _) => resolve(keeper, &keeper.agent_of(&key)?, &key)?,
            (None, Some(source)) if source.reason == Reason::Requested => {
                resolve_library(keeper, Wanted::Soul(source.id.parse().map_err(souls::Error::from)?))?
            }
            (None, _) => resolve_library(keeper, Wanted::Chain)?,
        };
        let author = context.author(Self::NAME);
        // It matched, perhaps in part; what must not change until the transaction is all of it.
        let expected = expected_digest.and(current_digest.clone());
        let refreshed = store.refresh_session(
            &id,
            expected.as_deref(),
            &receipt::with_prompt(binding),
            &author.actor,
            &author.origin,
            keeper.lease_now(),
        )?;
        let session = refreshed.map_err(|refusal| sessions::Error::refused(&id, refusal))?;
        Bound::new(keeper, session, soul)
    }
}
