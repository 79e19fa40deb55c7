use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The key of a soul in the store. A path is never a key: directories move.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SoulKey {
    /// `home`, or the id of the workspace.
    pub scope: String,
    /// Whether it is an agent's soul or one of the library.
    pub kind: Kind,
    /// The agent's name, or the id of the library soul.
    pub name: String,
}

/// Whether a soul is an agent's or one of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SoulKind", transform = soul_core::schema::spellings)]
pub enum Kind {
    /// An agent's soul.
    Agent,
    /// A soul of the library.
    Library,
}

impl Kind {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Library => "library",
        }
    }

    /// The kind with this name.
    pub(crate) fn stored(text: &str) -> Option<Self> {
        [Self::Agent, Self::Library].into_iter().find(|kind| kind.as_str() == text)
    }
}

impl SoulKey {
    /// The scope of the home, where no other home shares its store.
    pub const HOME: &str = "home";

    /// What the scope of a home begins with that shares its store with others.
    const SHARING: &str = "home_";

    /// Whether a scope is that of a home, and not of a workspace.
    #[must_use]
    pub fn is_home(scope: &str) -> bool {
        scope == Self::HOME || scope.strip_prefix(Self::SHARING).is_some_and(|ulid| ulid.len() == 26)
    }
}

impl SoulKey {
    /// The colour of the soul's sigil.
    #[must_use]
    pub fn hue(&self) -> u8 {
        soul_core::sigil::hue(&self.scope, self.kind.as_str(), &self.name)
    }
}

impl fmt::Display for SoulKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.scope, self.kind.as_str(), soul_core::text::visible(&self.name))
    }
}
