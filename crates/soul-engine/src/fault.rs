//! What all failures have in common: a kind, a stable code, and the next step. Every error enum
//! answers it beside its messages, so that no transport keeps a list of its own.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The kind of a failure, from which exit codes and HTTP statuses follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The content is at fault.
    Invalid,
    /// The request is at fault.
    Usage,
    /// The state is not what the caller expected.
    Conflict,
    /// What the request is about does not exist.
    NotFound,
    /// The request refers to something that does not exist.
    Dangling,
    /// The caller lacks a grant.
    Denied,
    /// It exists and must not be changed.
    Blocked,
    /// It exists and could not be read.
    Unreadable,
    /// There is no space left.
    Full,
    /// It was done, and could not be confirmed.
    Unconfirmed,
    /// The machine could not do it.
    #[default]
    Unable,
}

impl Kind {
    /// The exit code of a command that failed so.
    #[must_use]
    pub const fn exit(self) -> u8 {
        match self {
            Self::Invalid => 1,
            Self::Usage | Self::Denied => 2,
            Self::Conflict => 3,
            Self::NotFound | Self::Dangling => 4,
            Self::Blocked | Self::Unreadable | Self::Full | Self::Unconfirmed | Self::Unable => 5,
        }
    }

    /// The HTTP status, which is also the code of a JSON-RPC error.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Usage | Self::Dangling => 400,
            Self::Denied => 403,
            Self::NotFound => 404,
            Self::Conflict | Self::Blocked => 409,
            Self::Invalid | Self::Unreadable => 422,
            Self::Unconfirmed => 500,
            Self::Unable => 503,
            Self::Full => 507,
        }
    }
}

/// Why something failed: an error of a lower layer, or a sentence.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// How a failure is classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: Kind,
    /// Its stable name.
    pub code: &'static str,
    /// The next step, if there is one.
    pub hint: Option<Cow<'static, str>>,
}

impl Fault {
    /// A failure with a next step.
    pub(crate) fn new(kind: Kind, code: &'static str, hint: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, code, hint: Some(hint.into()) }
    }

    /// A failure whose message says all there is to say.
    pub(crate) const fn bare(kind: Kind, code: &'static str) -> Self {
        Self { kind, code, hint: None }
    }
}
