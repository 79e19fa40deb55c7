//! One file an operation: its request, its response, what it needs to be granted, and `run`.
//! Transports only translate.

pub mod agents;
pub mod audit;
pub mod boot;
pub mod context;
pub mod convert;
pub mod delete;
pub mod diff;
pub mod doctor;
mod error;
pub mod history;
pub mod inspect;
pub mod library;
pub mod load;
pub mod log;
pub mod memory;
pub mod migrate;
mod operation;
pub mod payload;
pub mod persona;
pub mod prompt;
pub mod rollback;
pub mod rule;
pub mod scan;
pub mod seed;
pub mod session;
pub mod task;
pub mod test;
pub mod token;
pub mod validate;
mod whole;
pub mod write;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;

pub use error::{Conflict, Error, Kind};
pub use operation::{Carried, Entry, OPERATIONS, Operation, Ready};

use crate::ids::SessionId;
use crate::workspace::Target;

/// The most that a page of any list holds, whoever asks.
const LONGEST_PAGE: usize = 10_000;

/// Whose soul a projection is of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Subject {
    /// A soul as it is now, in this dialect if it is not to be detected.
    Target(Target, Option<Dialect>),
    /// The soul that a session is bound to.
    Session(SessionId),
}

impl Subject {
    /// Whether only the machine of whoever asks has it.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        matches!(self, Self::Target(target, _) if target.is_here())
    }
}

/// What an operation does, which is what a token must grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Grant {
    /// It reads.
    #[serde(rename = "soul.read")]
    Read,
    /// It changes.
    #[serde(rename = "soul.write")]
    Write,
    /// It makes and revokes tokens.
    #[serde(rename = "soul.tokens")]
    Tokens,
}

impl Grant {
    /// Every grant.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Tokens];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "soul.read",
            Self::Write => "soul.write",
            Self::Tokens => "soul.tokens",
        }
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the grants are soul.read, soul.write and soul.tokens")]
pub struct UnknownGrant;

impl FromStr for Grant {
    type Err = UnknownGrant;

    fn from_str(text: &str) -> Result<Self, UnknownGrant> {
        Self::ALL.into_iter().find(|grant| grant.as_str() == text).ok_or(UnknownGrant)
    }
}
