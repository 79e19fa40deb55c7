//! Add a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::caller::Grant;
use crate::context::Context;
use crate::ids::TaskId;
use crate::ops::{Error, Hints, Operation};
use crate::places;
use crate::store::{Task, TaskState, json_bytes};
use crate::workspace::AgentName;

/// The most bytes of a payload. What is larger belongs in a file that the payload names.
const LARGEST: usize = 256 << 10;

/// Add a task, for one agent or for any session.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent whose sessions may claim it. Default: any session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// What the task is about: any JSON, at most 256 KiB.
    #[serde(default)]
    pub payload: Value,
}

/// The task that was added.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TaskAnswer")]
pub struct Response {
    /// The task.
    pub task: Task,
}

impl Operation for Request {
    const NAME: &'static str = "task.add";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, payload } = self;
        if json_bytes(&payload) > LARGEST {
            return Err(Error::BadRequest(format!("the payload has more than {} KiB", LARGEST >> 10)));
        }
        let keeper = context.keeper;
        let scope = match &agent {
            Some(name) => Some(places::key(keeper, &keeper.agent(name)?)?.scope),
            None => None,
        };
        let agent = agent.map(|name| name.as_str().to_owned());
        let created_at = keeper.now();
        let task = Task {
            id: TaskId::fresh_at(created_at),
            agent,
            scope,
            payload,
            state: TaskState::Queued,
            created_at,
            run: None,
        };
        let author = context.author(Self::NAME);
        keeper.store()?.add_task(&task, &author.actor, &author.origin)?;
        Ok(Response { task })
    }
}
