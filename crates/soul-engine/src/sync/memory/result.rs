use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::sync::auto::AutoSync;
use crate::sync::status::Refusal;

/// What the sync of a memory did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySyncResult {
    /// The agent.
    pub agent: String,
    /// What was done, in one line.
    pub message: String,
    /// The remote, without credentials.
    pub remote: String,
    /// The branch.
    pub branch: String,
    /// Files that came from the remote, or were merged with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pulled: Vec<String>,
    /// Files that the remote has now and had not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushed: Vec<String>,
    /// Files that are gone on both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Passages that both sides changed: what lost, and where it is kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostText>,
    /// What the remote has and was not taken, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// The remote's commit now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Commits that the next push would add: all local changes are one.
    pub ahead: usize,
    /// Commits of the remote that are not here yet.
    pub behind: usize,
}

/// A passage that both sides changed, and that is not in the file any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LostText {
    /// The file.
    pub file: String,
    /// The section.
    pub place: String,
    /// The text that lost.
    pub text: String,
    /// Whose text it is: `ours` or `theirs`.
    pub side: String,
    /// Where it is kept: a file of the home, or a commit of the remote.
    pub kept: String,
}

/// How a memory stands with its remote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySyncState {
    /// The remote, without credentials.
    pub remote: String,
    /// The branch.
    pub branch: String,
    /// Commits that the next push would add: all local changes are one. Absent if the remote could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    /// Commits of the remote that are not here yet. Absent if the remote could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<usize>,
    /// Files that were changed, added or removed here since the last sync.
    pub changed: Vec<String>,
    /// When the memory was synced last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync_at: Option<Time>,
    /// Why the remote could not be fetched now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the service does by itself.
    #[serde(default)]
    pub auto_sync: AutoSync,
}
