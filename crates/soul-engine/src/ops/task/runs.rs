//! List runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{BadCursor, Cursor, Limit, given};
use crate::ids::{SessionId, TaskId};
use crate::ops::{Error, Hints, Operation};
use crate::sessions;
use crate::store::{Run, RunFilter, RunState};

/// List runs, newest first: which session claimed which task, as which soul, and how it ended.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only runs of this session.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Only runs of this task.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// Only runs in this state.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<RunState>,
    /// The largest number of runs.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// A page of runs, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunPage")]
pub struct Response {
    /// The runs.
    pub runs: Vec<ListedRun>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<Cursor>,
}

/// A run, and the soul that its session had.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ListedRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// The digest of the soul that the session had when it claimed the task; `null` if it had none.
    pub soul_digest: Option<Digest>,
}

impl Operation for Request {
    const NAME: &'static str = "task.runs";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { session_id, task_id: task, state, limit, cursor } = self;
        let session = session_id.map(|id| sessions::find(context.keeper, &id)).transpose()?.map(|found| found.id);
        let Some(store) = context.keeper.existing_store()? else {
            return Ok(Response { runs: Vec::new(), next_cursor: None });
        };
        let before = cursor.map(|cursor| {
            let id = cursor.as_str().to_owned().into();
            let unknown = || BadCursor(cursor.as_str().to_owned());
            sessions::run_id(store, &id).map_err(|_| unknown())
        });
        let filter = RunFilter { session, task, state };
        let mut page = store.runs(&filter, before.transpose()?.as_ref(), limit.and_one())?;
        let more = limit.cut(&mut page);
        let next_cursor = page.last().filter(|_| more.is_some()).map(|last| Cursor::new(last.id.as_str()));
        let listed = |run: Run| ListedRun { soul_digest: run.soul_digest(), run };
        Ok(Response { runs: page.into_iter().map(listed).collect(), next_cursor })
    }
}
