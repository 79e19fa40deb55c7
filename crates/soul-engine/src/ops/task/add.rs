//! Add something to do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Keeper;
use crate::ids::TaskId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::{Task, TaskState};
use crate::workspace::AgentName;

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// What, and for whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent; none if it is for any.
    pub agent: Option<AgentName>,
    /// What it is about.
    pub payload: Value,
    /// Who asks.
    pub asker: Asker,
}

/// The task that was added.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The task.
    pub task: Task,
}

/// Adds the task.
///
/// # Errors
/// When there is no such agent, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, payload, asker } = request;
    let scope = match &agent {
        Some(name) => Some(keeper.agent(name)?.key().map_err(Error::workspace)?.scope),
        None => None,
    };
    let agent = agent.map(|name| name.as_str().to_owned());
    let created_at = keeper.now();
    let id = TaskId::fresh_at(created_at);
    let task = Task { id, agent, scope, payload, state: TaskState::Queued, created_at };
    keeper.store()?.add_task(&task, &asker.actor, &asker.origin)?;
    Ok(Response { task })
}
