use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::digest::Digest;

use crate::clock::Time;
use crate::ids::{RunId, SessionId, TaskId};

/// The state of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum TaskState {
    /// It waits to be claimed, for the first time or because the lease of its run expired.
    Queued,
    /// A run has it.
    Claimed,
    /// Its run succeeded.
    Done,
    /// Its run failed.
    Failed,
}

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum RunState {
    /// The session works on it, until its lease expires.
    Claimed,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
    /// Its lease expired.
    Expired,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RunOutcome", transform = soul_core::schema::spellings)]
pub enum Outcome {
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
}

impl TaskState {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Claimed => "claimed",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        [Self::Queued, Self::Claimed, Self::Done, Self::Failed].into_iter().find(|state| state.as_str() == text)
    }
}

impl RunState {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        [Self::Claimed, Self::Done, Self::Failed, Self::Expired].into_iter().find(|state| state.as_str() == text)
    }
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Outcome {
    /// The state that it gives to run and task.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// A task for an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// The task's id.
    pub id: TaskId,
    /// The name of the agent that it is for; none if any session may claim it.
    pub agent: Option<String>,
    /// The scope of that agent: `home`, or the id of the workspace.
    pub scope: Option<String>,
    /// What it is about: any JSON value.
    pub payload: Value,
    /// Its state.
    pub state: TaskState,
    /// When it was added.
    pub created_at: Time,
    /// Its newest run; absent if it was never claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<TaskRun>,
}

/// The newest run of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRun {
    /// The run's id.
    pub id: RunId,
    /// The session that claimed the task.
    pub session_id: SessionId,
    /// Its state.
    pub state: RunState,
    /// The digest of the soul that the session had then; null if it had none.
    pub soul_digest: Option<Digest>,
    /// When it was claimed.
    pub claimed_at: Time,
    /// When the lease expires.
    pub lease_expires_at: Time,
    /// When it ended.
    pub finished_at: Option<Time>,
}

/// Which runs a list has. Everything that is absent lets every run through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    /// Of this session.
    pub session: Option<SessionId>,
    /// Of this task.
    pub task: Option<TaskId>,
    /// In this state.
    pub state: Option<RunState>,
}

/// A task that a session has claimed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The run's id.
    pub id: RunId,
    /// The task.
    pub task_id: TaskId,
    /// The session that claimed it.
    pub session_id: SessionId,
    /// Its state.
    pub state: RunState,
    /// Provenance: under `soul`, the snapshot, digest and agent that the session had when it claimed the task.
    #[serde(rename = "metadata_json")]
    pub metadata: Value,
    /// The task's payload.
    pub payload: Value,
    /// When the lease expires.
    pub lease_expires_at: Time,
    /// When it was claimed.
    pub claimed_at: Time,
    /// When it ended.
    pub finished_at: Option<Time>,
}

impl Run {
    /// The digest of the soul that the session had when it claimed the task.
    #[must_use]
    pub fn soul_digest(&self) -> Option<Digest> {
        soul_digest(&self.metadata)
    }
}

/// The digest of the soul in the provenance of a run.
pub(super) fn soul_digest(metadata: &Value) -> Option<Digest> {
    metadata["soul"]["digest"].as_str()?.parse().ok()
}
