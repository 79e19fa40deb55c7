//! Tell of tasks.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::ids::TaskId;
use crate::ops::{Error, Grant, LONGEST_PAGE};
use crate::store::{Task, TaskState};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which tasks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// In this state only.
    pub state: Option<TaskState>,
    /// After this one.
    pub cursor: Option<TaskId>,
    /// The most of them.
    pub limit: usize,
}

/// Tasks, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<TaskId>,
}

/// Finds the tasks.
///
/// # Errors
/// When the cursor is of no task, or the store does not answer.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let unknown = || Error::BadCursor(request.cursor.as_ref().map(ToString::to_string).unwrap_or_default());
    // One more than was asked for shows whether there is a next page.
    let limit = request.limit.min(LONGEST_PAGE);
    let wanted = limit + 1;
    let mut tasks = match keeper.existing_store()? {
        Some(store) => store.tasks(request.state, request.cursor.as_ref(), wanted)?.ok_or_else(unknown)?,
        None => Vec::new(),
    };
    let more = tasks.len() == wanted;
    tasks.truncate(limit);
    let next_cursor = tasks.last().filter(|_| more).map(|task| task.id.clone());
    Ok(Response { tasks, next_cursor })
}
