use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;
use soul_core::prompt::{MemoryIndex, Persona};

use super::{NewSnapshot, Party, PromptMaker};
use crate::clock::Time;
use crate::ids::{SessionId, SnapshotId};
use crate::settings::Slot;
use crate::workspace::{Kind, SoulKey};

/// Whether a session is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum SessionState {
    /// It may claim tasks and be refreshed.
    Active,
    /// It was stopped, and may be resumed.
    Stopped,
}

impl SessionState {
    /// The name on the wire and in the store.
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

/// A session of an agent, and the soul that it is bound to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The session's id.
    pub id: SessionId,
    /// The agent's name; none if the session runs on a library soul alone.
    pub agent: Option<String>,
    /// `home`, or the id of the workspace.
    pub scope: String,
    /// Whether it is active.
    pub state: SessionState,
    /// The snapshot that it is bound to; none if the agent has no soul, or souls are disabled.
    pub soul_snapshot_id: Option<SnapshotId>,
    /// The digest of the soul that it is bound to.
    pub soul_digest: Option<Digest>,
    /// Whether there was a valid soul when it was resolved.
    pub soul_status: SoulStatus,
    /// Which library soul it has, and why, if it is not the agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
    /// Effective traits and mood when the soul was last resolved, if the soul has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<Persona>,
    /// The session that started it.
    pub parent_id: Option<SessionId>,
    /// The digest of the parent's soul at that time, for the record only.
    pub parent_soul_digest: Option<Digest>,
    /// When it was started.
    pub created_at: Time,
    /// When its soul was last resolved.
    pub captured_at: Time,
    /// When it was stopped.
    pub stopped_at: Option<Time>,
}

impl Session {
    /// The key of its agent's soul, if it has an agent.
    #[must_use]
    pub fn key(&self) -> Option<SoulKey> {
        self.agent.clone().map(|name| SoulKey { scope: self.scope.clone(), kind: Kind::Agent, name })
    }
}

/// Whether there was a valid soul when a session was bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum SoulStatus {
    /// There was, and the session is bound to it.
    Valid,
    /// Souls were disabled.
    Inactive,
    /// The agent had no soul.
    Missing,
}

impl SoulStatus {
    /// The name on the wire and in the store.
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

/// Which library soul was resolved, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoulSource {
    /// The id of the library soul.
    pub id: String,
    /// Why this one.
    pub reason: Reason,
    /// Souls that came first and were skipped, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<SkippedSoul>,
}

/// Why a library soul was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "SoulSourceReason", transform = soul_core::schema::spellings)]
pub enum Reason {
    /// The request named it.
    Requested,
    /// It is selected.
    Selected,
    /// None is selected, or the selected one cannot be used; this is `default`.
    Default,
    /// The library has none that can be used; this one is built into the program.
    BuiltIn,
}

impl Reason {
    /// The name on the wire.
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

/// A library soul that came first and was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedSoul {
    /// Its id.
    pub id: String,
    /// Why it was skipped.
    pub why: String,
}

/// A session to be started.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The agent's soul, or the library soul.
    pub key: SoulKey,
    /// The session that starts it, and the digest of that session's soul.
    pub parent: Option<(SessionId, Option<Digest>)>,
    /// Who starts it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// The time.
    pub now: Time,
}

/// What a session is bound to.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The soul; none if there is none, or souls are disabled.
    pub soul: Option<Box<NewSnapshot>>,
    /// Whether there was a valid soul.
    pub status: SoulStatus,
    /// What reaches the session besides its soul.
    pub surroundings: Surroundings,
    /// Which library soul it is, and why, if it is one.
    pub source: Option<SoulSource>,
    /// Effective traits and mood, if the soul has any.
    pub persona: Option<Persona>,
    /// Makes the prompt that is recorded as given.
    pub prompt: PromptMaker,
}

/// What reaches a session besides its soul, as it was when the soul was resolved. It is stored with the
/// session and not with the snapshot: it changes while the soul stays the same.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "SessionSurroundings")]
pub struct Surroundings {
    /// The folder of the files, as it is shown: a path that ends with a slash, or nothing.
    pub folder: String,
    /// The text of USER.md.
    pub user: Option<String>,
    /// The index of the memory.
    pub memory: Option<MemoryIndex>,
    /// The authored files of an agent that has no soul, by name.
    pub files: BTreeMap<String, String>,
    /// What `[prompt]` of the configuration says, slot by slot.
    pub slots: BTreeMap<Slot, FilledSlot>,
}

/// The text of a slot of the prompt, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilledSlot {
    /// The text.
    pub text: String,
    /// The file, as users see it.
    pub source: String,
}
