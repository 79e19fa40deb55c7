use std::fmt;

use serde::{Deserialize, Serialize};

/// What names a soul in the store. A path never does: directories move.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SoulKey {
    /// `home`, or the id of a workspace.
    pub scope: String,
    /// Whose soul it is.
    pub kind: Kind,
    /// The agent's name, or the id in the library.
    pub name: String,
}

/// Whose soul it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An agent's.
    Agent,
    /// One of the library, for whoever takes it.
    Library,
}

impl Kind {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Library => "library",
        }
    }

    /// The kind that was stored so.
    pub(crate) fn stored(text: &str) -> Option<Self> {
        [Self::Agent, Self::Library].into_iter().find(|kind| kind.as_str() == text)
    }
}

impl SoulKey {
    /// The scope of the home.
    pub const HOME: &str = "home";
}

impl fmt::Display for SoulKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.scope, self.kind.as_str(), soul_core::text::visible(&self.name))
    }
}
