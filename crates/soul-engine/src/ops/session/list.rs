//! Tell of many sessions.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::ops::{Error, Grant, LONGEST_PAGE};
use crate::store::{Session, SessionState};
use crate::workspace::AgentName;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which sessions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Of this agent only.
    pub agent: Option<AgentName>,
    /// In this state only.
    pub state: Option<SessionState>,
    /// The most of them.
    pub limit: usize,
}

/// Sessions, newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The sessions.
    pub sessions: Vec<Session>,
}

/// Finds the sessions.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let agent = request.agent.as_ref().map(AgentName::as_str);
    let sessions = match keeper.existing_store()? {
        Some(store) => store.sessions(agent, request.state, request.limit.min(LONGEST_PAGE))?,
        None => Vec::new(),
    };
    Ok(Response { sessions })
}
