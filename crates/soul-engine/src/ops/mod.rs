//! One file an operation: its request, its response, and `run`. Transports only translate.

pub mod convert;
pub mod inspect;
pub mod load;
pub mod memory;
pub mod migrate;
pub mod prompt;
pub mod validate;

use soul_core::text::shown;

use crate::workspace::{AgentName, BadName};
use crate::{files, settings};

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
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] settings::Error),
    /// There is no directory in which a memory could be.
    #[error("there is no directory `{0}`")]
    NoMemory(String),
    /// The memory has no such file.
    #[error("the memory has no file {}", shown(.0))]
    NotInMemory(String),
    /// The file is there and is not to be read.
    #[error("{} was not read: {}", shown(.0), .1)]
    Refused(String, String),
    /// The file has no such section.
    #[error("there is no {0} in `{1}`")]
    NoSection(String, String),
    /// The text is empty.
    #[error("there is nothing to add")]
    NothingToAdd,
    /// The text is too long.
    #[error("the text is larger than {} MiB, the most that is added at once", memory::add::MAX_TEXT >> 20)]
    TooMuchToAdd,
    /// The topic cannot be part of a file's name.
    #[error("{} cannot be a topic", shown(.0))]
    BadTopic(String),
    /// There is no home in which to keep what is taken out.
    #[error("there is no home to keep what is forgotten in")]
    NoHome,
    /// Nothing was taken out, or all of it is back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// What stood around the section is no longer there.
    #[error("`{0}` has changed too much to bring the section back")]
    CannotUndo(String, u32),
    /// The soul is invalid, and the operation needs a valid one.
    #[error("the soul at `{}` is not valid", .0.source_path)]
    Invalid(Box<inspect::Response>),
}
