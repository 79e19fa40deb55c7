use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use soul_core::prompt::Index;

use super::{NewSnapshot, Party};
use crate::clock::Time;
use crate::ids::{SessionId, SnapshotId};
use crate::workspace::{Kind, SoulKey};

/// Whether an agent is live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionState {
    /// It is.
    Active,
    /// It was.
    Stopped,
}

impl SessionState {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Stopped => "stopped",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        [Self::Active, Self::Stopped].into_iter().find(|state| state.as_str() == text)
    }
}

/// A live agent, and the soul it was started with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// What names it.
    pub id: SessionId,
    /// The agent.
    pub agent: String,
    /// `home`, or a workspace.
    pub scope: String,
    /// Whether it is live.
    pub state: SessionState,
    /// The snapshot it is bound to; none if the agent has no soul, or souls are switched off.
    pub soul_snapshot_id: Option<SnapshotId>,
    /// What the soul says.
    pub soul_digest: Option<String>,
    /// How it stood with the soul when it was resolved.
    pub soul_status: SoulStatus,
    /// The session that started it.
    pub parent_id: Option<SessionId>,
    /// The soul of that session at that time. It is told, and never followed.
    pub parent_soul_digest: Option<String>,
    /// When it was started.
    pub created_at: Time,
    /// When its soul was resolved last.
    pub captured_at: Time,
    /// When it was stopped.
    pub stopped_at: Option<Time>,
}

impl Session {
    /// What names its agent's soul.
    #[must_use]
    pub fn key(&self) -> SoulKey {
        SoulKey { scope: self.scope.clone(), kind: Kind::Agent, name: self.agent.clone() }
    }
}

/// How it stood with a soul when a session was bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SoulStatus {
    /// The session is bound to it.
    Valid,
    /// It was switched off.
    Inactive,
    /// There was none.
    Missing,
}

impl SoulStatus {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Inactive => "inactive",
            Self::Missing => "missing",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        [Self::Valid, Self::Inactive, Self::Missing].into_iter().find(|status| status.as_str() == text)
    }
}

/// A session that is to be started.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Whose.
    pub key: SoulKey,
    /// The session that starts it, and the soul of that.
    pub parent: Option<(SessionId, Option<String>)>,
    /// Who starts it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

/// What a session is bound to.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The soul; none if there is none, or souls are switched off.
    pub soul: Option<Box<NewSnapshot>>,
    /// Which of these it is.
    pub status: SoulStatus,
    /// What the session is told besides.
    pub surroundings: Surroundings,
}

/// What a session is told besides its soul, as it was when the soul was resolved. It is kept with the
/// session and not with the snapshot: it changes without the soul being another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// Where people find the files: a path that ends with a slash, or nothing.
    pub folder: String,
    /// The USER.md.
    pub user: Option<String>,
    /// The index of the memory.
    pub memory: Option<Index>,
    /// The authored files of an agent that has no soul, by name.
    pub files: BTreeMap<String, String>,
}
