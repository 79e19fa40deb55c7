//! Who asks, through which transport, and what they may do. Transports authenticate and build the
//! [`Caller`]; no request says who sends it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::{Party, Token};

/// What an operation needs to be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Grant {
    /// Read souls, sessions, memory and the record.
    #[serde(rename = "soul.read")]
    Read,
    /// Change them.
    #[serde(rename = "soul.write")]
    Write,
    /// Administer the keeper: tokens, backups, workspaces. The alias is what earlier versions called it.
    #[serde(rename = "soul.admin", alias = "soul.tokens")]
    Admin,
}

impl Grant {
    /// Every grant.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "soul.read",
            Self::Write => "soul.write",
            Self::Admin => "soul.admin",
        }
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the grants are soul.read, soul.write and soul.admin")]
pub struct UnknownGrant;

impl FromStr for Grant {
    type Err = UnknownGrant;

    fn from_str(text: &str) -> Result<Self, UnknownGrant> {
        // A token of an earlier version is stored with the earlier name.
        let text = if text == "soul.tokens" { Self::Admin.as_str() } else { text };
        Self::ALL.into_iter().find(|grant| grant.as_str() == text).ok_or(UnknownGrant)
    }
}

/// Who sends a request.
#[derive(Debug, Clone)]
pub struct Caller {
    actor: Party,
    transport: &'static str,
    /// `None` for somebody who needs no token here.
    grants: Option<Vec<Grant>>,
}

impl Caller {
    /// Somebody on this machine, who may do everything.
    #[must_use]
    pub const fn local(actor: Party, transport: &'static str) -> Self {
        Self { actor, transport, grants: None }
    }

    /// The holder of a token: `kind` is `token`, or `extension` for a client of the Host API.
    #[must_use]
    pub fn holder(kind: &str, token: Token, transport: &'static str) -> Self {
        Self { actor: Party::new(kind, &token.label()), transport, grants: Some(token.grants) }
    }

    /// Whether this was granted.
    #[must_use]
    pub fn has(&self, grant: Grant) -> bool {
        self.grants.as_ref().is_none_or(|grants| grants.contains(&grant))
    }

    /// Who goes on record for what an operation does.
    #[must_use]
    pub fn author(&self, operation: &str) -> Author {
        Author { actor: self.actor.clone(), origin: Party::new(self.transport, operation) }
    }
}

/// Who did something, and through what.
#[derive(Debug, Clone)]
pub struct Author {
    /// Who.
    pub actor: Party,
    /// The transport, and the operation.
    pub origin: Party,
}
