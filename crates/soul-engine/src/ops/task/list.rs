//! Tell of tasks.

use serde::Serialize;

use crate::Keeper;
use crate::ids::TaskId;
use crate::ops::{Error, Grant};
use crate::store::{Task, TaskState};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which tasks.
#[derive(Debug, Clone)]
pub struct Request {
    /// In this state only.
    pub state: Option<TaskState>,
    /// After this one.
    pub cursor: Option<TaskId>,
    /// The most of them.
    pub limit: usize,
}

/// Tasks, oldest first.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Where the next page begins, if there may be one.
    pub next_cursor: Option<TaskId>,
}

/// Finds the tasks.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let tasks = match keeper.existing_store()? {
        Some(store) => store.tasks(request.state, request.cursor.as_ref(), request.limit)?,
        None => Vec::new(),
    };
    let next_cursor = tasks.last().filter(|_| tasks.len() == request.limit).map(|task| task.id.clone());
    Ok(Response { tasks, next_cursor })
}
