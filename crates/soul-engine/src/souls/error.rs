use std::io;

use crate::fault::{Cause, Fault, Kind};
use crate::files;
use crate::store;
use crate::workspace::{AgentName, BadName, BadSoulId, SoulId};

use super::Resolved;

/// Why there is no soul to work on. What is wrong *with* a soul is a diagnostic, not one of these.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is at the path.
    #[error("there is nothing at `{0}`")]
    NotFound(String),
    /// The directory has no soul.
    #[error("there is no soul in `{0}`")]
    NoSoul(String),
    /// A folder that could not be listed.
    #[error("could not list `{0}`: {1}")]
    Unlistable(String, #[source] files::Error),
    /// No root has the agent.
    #[error("there is no agent `{0}`")]
    AgentNotFound(AgentName),
    /// The agent's directory exists and could not be opened.
    #[error("could not open the directory of the agent `{0}`: {1}")]
    AgentUnreadable(AgentName, #[source] files::Error),
    /// The text is not an agent's name.
    #[error(transparent)]
    BadName(#[from] BadName),
    /// The text is not the id of a library soul.
    #[error(transparent)]
    BadSoulId(#[from] BadSoulId),
    /// The library has no such soul.
    #[error("there is no soul `{0}` in the library")]
    SoulNotFound(SoulId),
    /// The library's folder cannot be used.
    #[error("could not use the library at `{0}`: {1}")]
    LibraryUnusable(String, #[source] Cause),
    /// A file that belongs to the soul could not be read.
    #[error("could not read `{0}`: {1}")]
    Layer(String, #[source] Cause),
    /// The workspace has no id, or an unreadable one.
    #[error("could not use the id of the workspace: {}", files::plain(.0))]
    WorkspaceId(#[source] io::Error),
    /// The soul is invalid, and a valid one is needed.
    #[error("the soul at `{}` {}", .0.source_path, if .0.is_unavailable { "could not be read" } else { "is invalid" })]
    Invalid(Box<Resolved>),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

pub(crate) const MACHINE: &str = "the system is out of resources; check open files (`ulimit -n`), locks and memory";

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::NotFound(_) => Fault::new(
                Kind::NotFound,
                "not_found",
                "give a file, a directory, the name of an agent (`soul list`), or `-` for standard input",
            ),
            Self::NoSoul(_) => Fault::new(
                Kind::NotFound,
                "not_found",
                "a soul is a SOUL.md or a `soul.json` in the folder; `soul validate` finds every soul below it",
            ),
            Self::Unlistable(..) => Fault::new(Kind::Unable, "io", "check the permissions of the folder"),
            Self::AgentNotFound(name) => Fault::new(
                Kind::NotFound,
                "agent_not_found",
                format!("`soul list` lists the agents, `soul new {name}` creates this one; for a file, type its path"),
            ),
            Self::AgentUnreadable(_, error) if error.is_of_machine() => Fault::new(Kind::Unable, "io", MACHINE),
            Self::AgentUnreadable(_, files::Error::Io(_)) => {
                Fault::new(Kind::Unable, "io", "check the permissions of the agent's directory")
            }
            Self::AgentUnreadable(..) => Fault::new(
                Kind::Unreadable,
                "path_escape",
                "the directory of an agent must not be a link to another place",
            ),
            Self::BadName(_) => Fault::new(Kind::Usage, "bad_agent_name", "use 1 to 128 bytes without a slash"),
            Self::BadSoulId(_) => Fault::new(
                Kind::Usage,
                "bad_soul_id",
                "use lower-case letters and digits in words joined by single hyphens, at most 128 characters",
            ),
            Self::SoulNotFound(_) => Fault::new(
                Kind::NotFound,
                "soul_not_found",
                "`soul library list` lists the souls; `soul library history ID` shows a deleted one",
            ),
            Self::LibraryUnusable(..) => Fault::new(
                Kind::Unable,
                "library_unusable",
                "check the folder that `[library] dir` names, and its permissions",
            ),
            Self::Layer(_, cause) if files::is_machine(cause) => Fault::new(Kind::Unable, "io", MACHINE),
            Self::Layer(..) => {
                Fault::new(Kind::Invalid, "layer_unreadable", "put a plain text file there, or remove it")
            }
            Self::WorkspaceId(_) => {
                Fault::new(Kind::Unable, "io", "check `.soul/id` in the workspace and its permissions")
            }
            Self::Invalid(soul) if soul.is_unavailable => Fault::new(Kind::Unable, "io", MACHINE),
            Self::Invalid(soul) => Fault::new(Kind::Invalid, "soul_invalid", soul.how_to_fix()),
            Self::Store(error) => error.fault(),
        }
    }
}
