//! List tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{BadCursor, Cursor, Limit, given};
use crate::ops::{Error, Hints, Operation};
use crate::store::{Task, TaskState};

/// List tasks, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only tasks in this state.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    /// The largest number of tasks.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// A page of tasks, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TaskPage")]
pub struct Response {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<Cursor>,
}

impl Operation for Request {
    const NAME: &'static str = "task.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let after = self.cursor.as_ref().map(|cursor| cursor.as_str().to_owned().into());
        let unknown = || BadCursor(self.cursor.as_ref().map(|cursor| cursor.as_str().to_owned()).unwrap_or_default());
        let mut tasks = match context.keeper.existing_store()? {
            Some(store) => store.tasks(self.state, after.as_ref(), self.limit.and_one())?.ok_or_else(unknown)?,
            None => Vec::new(),
        };
        let more = self.limit.cut(&mut tasks);
        let next_cursor = tasks.last().filter(|_| more.is_some()).map(|last| Cursor::new(last.id.as_str()));
        Ok(Response { tasks, next_cursor })
    }
}
