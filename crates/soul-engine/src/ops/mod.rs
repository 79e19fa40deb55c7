//! One file an operation: its request, its response, and `run`. Transports only translate.

pub mod convert;
pub mod inspect;
pub mod load;
pub mod migrate;
pub mod prompt;
pub mod rule;
pub mod scan;
pub mod validate;

use crate::files;
use crate::workspace::{AgentName, BadName};

/// Why an operation could not be done. What is wrong with a soul is not among these: that is a
/// diagnostic of the answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is at the path.
    #[error("there is nothing at `{0}`")]
    NotFound(String),
    /// The directory has no soul.
    #[error("there is no soul in `{0}`")]
    NoSoul(String),
    /// There is a soul, and it is no package.
    #[error("`{0}` is not a package")]
    NoPackage(String),
    /// The manifest cannot go where it is told.
    #[error("{0}")]
    CannotMigrate(String),
    /// The file could not be written.
    #[error("`{0}` could not be written: {1}")]
    Unwritable(String, String),
    /// A file that was named beside the targets cannot be read.
    #[error("`{0}` could not be read: {1}")]
    Unreadable(String, String),
    /// A rule file that cannot be run as a whole.
    #[error("the rules of `{0}` cannot be used: {1}")]
    BadRules(String, String),
    /// A baseline that is none.
    #[error("`{0}` is not a baseline: {1}")]
    BadBaseline(String, String),
    /// The scanner has no such rule.
    #[error("there is no rule `{0}`")]
    NoRule(String),
    /// No root has the agent.
    #[error("there is no agent `{0}`")]
    AgentNotFound(AgentName),
    /// The agent's directory is there and may not be opened.
    #[error("the directory of the agent `{0}` was not opened: {1}")]
    AgentUnreadable(AgentName, files::Error),
    /// The text is not the name of an agent.
    #[error(transparent)]
    BadName(#[from] BadName),
    /// The folder could not be listed.
    #[error("`{0}` could not be listed: {1}")]
    Unlistable(String, String),
    /// The soul is invalid, and the operation needs a valid one.
    #[error("the soul at `{}` is not valid", .0.source_path)]
    Invalid(Box<inspect::Response>),
}
