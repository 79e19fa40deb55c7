//! Bind an idle session to its soul as it is now: the agent's own, the one of the library that was asked
//! for, or whichever comes first now.
//!
//! What can fail is done first. The mutation that follows is one transaction which checks again: it
//! happens whole or not at all, whatever becomes of whoever asked.

use super::{Resolved, find, resolve, resolve_library};
use crate::Keeper;
use crate::ids::SessionId;
use crate::library::chain::Wanted;
use crate::ops::payload::Asker;
use crate::ops::{Conflict, Error, Grant};
use crate::store::{Reason, SessionState};
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The session.
    pub session: SessionId,
    /// The digest of the soul that it is bound to, as the asker has seen it.
    pub expected_digest: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// Resolves the soul anew.
///
/// # Errors
/// When the session is not idle, is bound to another soul than was expected, or the file is invalid:
/// then it keeps what it has.
pub fn run(keeper: &Keeper, request: Request) -> Result<Resolved, Error> {
    let Request { session: id, expected_digest, asker } = request;
    let expected = expected_digest.as_deref().map(str::trim).filter(|expected| !expected.is_empty());
    let session = find(keeper, &id)?;
    let bound = session.soul_digest.map(|digest| digest.to_string());
    if session.state == SessionState::Stopped {
        return Err(Error::SessionStopped(id));
    }
    if expected.is_some_and(|expected| bound.as_deref() != Some(expected)) {
        return Err(Error::Conflict { conflict: Conflict::OtherSession, current_digest: bound });
    }
    let store = keeper.store()?;
    if let Some(run) = store.live_run(&id, keeper.now())? {
        return Err(Error::Conflict { conflict: Conflict::LiveRun(run), current_digest: bound });
    }
    let (soul, binding) = match (session.key(), &session.soul_source) {
        (Some(key), _) => resolve(keeper, &keeper.agent_of(&key)?, &key)?,
        (None, Some(source)) if source.reason == Reason::Requested => {
            resolve_library(keeper, Wanted::Soul(source.id.parse()?))?
        }
        (None, _) => resolve_library(keeper, Wanted::Chain)?,
    };

    let refreshed = store.refresh_session(&id, expected, &binding, &asker.actor, &asker.origin, keeper.now())?;
    let session = refreshed.map_err(|refusal| Error::session(&id, refusal))?;
    Resolved::new(keeper, session, soul)
}
