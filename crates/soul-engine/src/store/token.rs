use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::clock::Time;
use crate::ids::TokenId;

/// The role of a token: the most that it can grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "TokenRole", transform = soul_core::schema::spellings)]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, and changes souls.
    Author,
    /// Reads, changes souls, and administers the keeper.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Author, Self::Admin];

    /// What it grants.
    #[must_use]
    pub const fn grants(self) -> &'static [Grant] {
        match self {
            Self::Viewer => &[Grant::Read],
            Self::Author => &[Grant::Read, Grant::Write],
            Self::Admin => &[Grant::Read, Grant::Write, Grant::Admin],
        }
    }

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Author => "author",
            Self::Admin => "admin",
        }
    }
}

/// The text is not a role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the roles are viewer, author and admin")]
pub struct UnknownRole;

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(UnknownRole)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An access token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Token {
    /// The token's id.
    pub id: TokenId,
    /// A name for people.
    pub name: Option<String>,
    /// Its role.
    pub role: Role,
    /// What it grants.
    pub grants: Vec<Grant>,
    /// The agent that holds it: the actor of everything that is done with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When it was created.
    pub created_at: Time,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Time>,
}

impl Token {
    /// Whether it has not been revoked.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.revoked_at.is_none()
    }

    /// How the record names a caller that acts with it. The id is part of it: a name may be used twice.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.id),
            None => self.id.to_string(),
        }
    }
}
