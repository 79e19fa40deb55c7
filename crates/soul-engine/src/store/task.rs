use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Time;
use crate::ids::{RunId, SessionId, TaskId};

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    /// It waits; one whose run let its lease expire waits again.
    Queued,
    /// A run has it.
    Claimed,
    /// It is done.
    Done,
    /// It was given up.
    Failed,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It is under way, as long as its lease holds.
    Claimed,
    /// It ended well.
    Done,
    /// It did not.
    Failed,
    /// Its lease ran out.
    Expired,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Well.
    Done,
    /// Not.
    Failed,
}

impl TaskState {
    /// As it is stored.
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
    /// As it is stored.
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
    /// As it is stored, of the run and of the task.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// What names it.
    pub id: TaskId,
    /// The agent that it is for; none if it is for any.
    pub agent: Option<String>,
    /// The agent's scope.
    pub scope: Option<String>,
    /// What it is about, in whatever shape.
    pub payload: Value,
    /// Where it stands.
    pub state: TaskState,
    /// When it was added.
    pub created_at: Time,
}

/// A task that a session took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What names it.
    pub id: RunId,
    /// The task.
    pub task_id: TaskId,
    /// The session.
    pub session_id: SessionId,
    /// Where it stands.
    pub state: RunState,
    /// What is known of it: under `soul`, who the session was.
    #[serde(rename = "metadata_json")]
    pub metadata: Value,
    /// What the task is about.
    pub payload: Value,
    /// Until when the session has it.
    pub lease_expires_at: Time,
    /// When it was taken.
    pub claimed_at: Time,
    /// When it ended.
    pub finished_at: Option<Time>,
}
