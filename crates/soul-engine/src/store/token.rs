use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::ids::TokenId;
use crate::ops::Grant;

/// What a token is for: the most that it can grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// To look.
    Viewer,
    /// To look, and to change souls.
    Author,
    /// All of that, and to make and revoke tokens.
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
            Self::Admin => &[Grant::Read, Grant::Write, Grant::Tokens],
        }
    }

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Author => "author",
            Self::Admin => "admin",
        }
    }
}

/// The text is no role.
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

/// A token, without the secret that it is proved by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// What names it.
    pub id: TokenId,
    /// What people call it.
    pub name: Option<String>,
    /// What it is for.
    pub role: Role,
    /// What it grants.
    pub grants: Vec<Grant>,
    /// When it was made.
    pub created_at: Time,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Time>,
}

impl Token {
    /// Whether it still grants anything.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.revoked_at.is_none()
    }

    /// As the record names whoever acts with it: a name may come again, an id does not.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.id),
            None => self.id.to_string(),
        }
    }
}
