use std::io;

use super::remote::{BadBranch, BadRemote};
use crate::fault::{Fault, Kind};

/// Why git was of no help.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no git on the path.
    #[error("there is no `git` on the path")]
    NoGit,
    /// Git is too old.
    #[error("git {0} is too old: version 2.32 or later is needed")]
    OldGit(String),
    /// Git did not end in time.
    #[error("git did not answer within {0} seconds and was stopped")]
    TimedOut(u64),
    /// The remote sends more than any collection of souls holds.
    #[error("the remote sends more than 2 GiB")]
    TooMuch,
    /// The remote refuses the push.
    #[error("the remote `{0}` refuses the push: {1}")]
    Refused(String, String),
    /// The remote could not be reached.
    #[error("could not {what} `{remote}`: {why}")]
    Network {
        /// What was tried.
        what: &'static str,
        /// The remote, without credentials.
        remote: String,
        /// What git said.
        why: String,
    },
    /// The clone is damaged.
    #[error("the clone in the cache was damaged and has been removed: {0}")]
    Damaged(String),
    /// A file of the home could not be used.
    #[error("could not use `{}`: {}", .0, crate::files::plain(.1))]
    Io(String, #[source] io::Error),
    /// The address is not one.
    #[error(transparent)]
    Remote(#[from] BadRemote),
    /// The branch is not one.
    #[error(transparent)]
    Branch(#[from] BadBranch),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::NoGit | Self::OldGit(_) => (Kind::Unable, "git_missing", "install git 2.32 or later"),
            Self::TimedOut(_) | Self::Network { .. } => {
                (Kind::Unable, "network", "check the address and the network, and run the command again")
            }
            Self::TooMuch => (Kind::Unable, "remote_too_large", "use a repository of its own for souls"),
            Self::Refused(..) => (Kind::Unable, "push_refused", "the remote's own rules decide; ask who runs it"),
            Self::Damaged(_) => (Kind::Unable, "clone_damaged", "run the command again: it fetches a new clone"),
            Self::Io(..) => (Kind::Unable, "io", "check the permissions of the home, and the free disk space"),
            Self::Remote(_) | Self::Branch(_) => (Kind::Usage, "bad_request", "see `--help` for examples"),
        };
        Fault::new(kind, code, hint)
    }
}
