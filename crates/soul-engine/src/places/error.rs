use crate::fault::{Fault, Kind};
use crate::souls;
use crate::store;

/// Why a workspace could not change its record, or be connected with one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command is about a workspace, and there is none.
    #[error("there is no workspace here")]
    NoWorkspace,
    /// Another directory carries the same id.
    #[error("this workspace is a copy of `{0}`: both have the same id and share one record")]
    Copied(String),
    /// An interrupted change cannot be ended, because the directory that it was made in cannot be read.
    #[error("a change of `{agent}` was interrupted in `{place}`, which cannot be read")]
    Unreadable {
        /// The agent.
        agent: String,
        /// The directory, as it is shown.
        place: String,
    },
    /// There is not recorded yet that the workspace could share or fork.
    #[error("this workspace has no record")]
    NoRecord,
    /// The workspace has an id, and a record under it.
    #[error("this workspace already has its own record: `{0}`")]
    HasRecord(String),
    /// No workspace has such a record.
    #[error("there is no workspace record `{0}`")]
    ScopeNotFound(String),
    /// The record belongs to a workspace that is still there.
    #[error("`{scope}` is in use by `{place}`")]
    InUse {
        /// The record.
        scope: String,
        /// The directory that uses it, as it is shown.
        place: String,
    },
    /// No record without a workspace fits.
    #[error("no lost record matches the agents of this workspace")]
    NothingToAdopt,
    /// Several records could be the one that the workspace has lost.
    #[error("this workspace has no id, and more than one record matches: {}", .0.join(", "))]
    Ambiguous(Vec<String>),
    /// Others bound the workspace again and again while we tried.
    #[error("another program is connecting this workspace")]
    Contended,
    /// The workspace, or an agent of it, could not be looked at.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::NoWorkspace => Fault::new(
                Kind::NotFound,
                "no_workspace",
                "run it in a directory that has a `.soul` folder, or give `--workspace`",
            ),
            Self::Copied(_) => Fault::new(
                Kind::Conflict,
                "workspace_copied",
                "`soul workspace fork` gives this copy its own record, which begins with the history so far; \
                 `soul workspace share` lets both use one record",
            ),
            Self::Unreadable { .. } => Fault::new(
                Kind::Unable,
                "place_unreadable",
                "make the directory readable, or remove it if it is no longer needed, and try again",
            ),
            Self::NoRecord => {
                Fault::new(Kind::NotFound, "no_record", "the first change in the workspace creates its record")
            }
            Self::HasRecord(_) => Fault::new(
                Kind::Conflict,
                "workspace_has_record",
                "move `.soul/id` away to connect the workspace with another record; `soul workspace list` shows all",
            ),
            Self::ScopeNotFound(_) => {
                Fault::new(Kind::NotFound, "scope_not_found", "`soul workspace list` shows every record")
            }
            Self::InUse { .. } => Fault::new(
                Kind::Conflict,
                "scope_in_use",
                "copy its `.soul/id` to this workspace and run `soul workspace share` to use one record in both",
            ),
            Self::NothingToAdopt => {
                Fault::new(Kind::NotFound, "nothing_to_adopt", "`soul workspace list` shows every record")
            }
            Self::Ambiguous(_) => Fault::new(
                Kind::Conflict,
                "workspace_ambiguous",
                "`soul workspace list` shows what is in each; choose one with `soul workspace adopt RECORD`",
            ),
            Self::Contended => Fault::new(Kind::Unable, "workspace_busy", "wait until it is done, and try again"),
            Self::Soul(error) => error.fault(),
            Self::Store(error) => error.fault(),
        }
    }
}
