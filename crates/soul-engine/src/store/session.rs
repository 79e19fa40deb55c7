use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use soul_core::prompt::{MemoryIndex, Persona};

use super::{NewSnapshot, Party};
use crate::clock::Time;
use crate::ids::{SessionId, SnapshotId};
use crate::workspace::{Kind, SoulKey};

/// Whether an agent is live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// What names it.
    pub id: SessionId,
    /// The agent; none if the session runs on a soul of the library alone.
    pub agent: Option<String>,
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
    /// Which soul of the library it took, and why, if it is not the agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
    /// How the agent was disposed when its soul was resolved last, if the soul says anything of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<Persona>,
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
    /// What names its agent's soul, if it is an agent's.
    #[must_use]
    pub fn key(&self) -> Option<SoulKey> {
        self.agent.clone().map(|name| SoulKey { scope: self.scope.clone(), kind: Kind::Agent, name })
    }
}

/// How it stood with a soul when a session was bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Which soul of the library was taken, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoulSource {
    /// Its id.
    pub id: String,
    /// Why it.
    pub reason: Reason,
    /// Those that came before it, and why they were not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOver>,
}

/// Why a soul of the library was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It was asked for by id.
    Requested,
    /// It is the one that is selected.
    Selected,
    /// None is selected, or the one that is cannot be used; this is `default`.
    Default,
    /// The library has none that can be used; this is the one in the program itself.
    BuiltIn,
}

impl Reason {
    /// As people read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Selected => "selected",
            Self::Default => "default",
            Self::BuiltIn => "built-in",
        }
    }
}

/// A soul that would have come first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// Its id.
    pub id: String,
    /// Why it was not taken.
    pub why: String,
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
    /// Which soul of the library it is, and why, if it is one.
    pub source: Option<SoulSource>,
    /// How the agent is disposed, if its soul says anything of it.
    pub persona: Option<Persona>,
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
    pub memory: Option<MemoryIndex>,
    /// The authored files of an agent that has no soul, by name.
    pub files: BTreeMap<String, String>,
}
