use serde::{Deserialize, Serialize};

use super::{NewSnapshot, Party};
use crate::clock::Time;
use crate::ids::{SessionId, SnapshotId};
use crate::workspace::SoulKey;

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
    /// Which soul of the library it took, and why, if it is not the agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
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
pub enum Binding {
    /// The agent's own soul.
    Soul(Box<NewSnapshot>),
    /// One of the library.
    Library(Box<NewSnapshot>, SoulSource),
    /// None: there is none, or souls are switched off.
    Nothing,
}

impl Binding {
    /// The soul, if it is one.
    #[must_use]
    pub fn snapshot(&self) -> Option<&NewSnapshot> {
        match self {
            Self::Soul(snapshot) | Self::Library(snapshot, _) => Some(snapshot),
            Self::Nothing => None,
        }
    }

    /// Which soul of the library it is, and why, if it is one.
    #[must_use]
    pub const fn source(&self) -> Option<&SoulSource> {
        match self {
            Self::Library(_, source) => Some(source),
            Self::Soul(_) | Self::Nothing => None,
        }
    }
}
