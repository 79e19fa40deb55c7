use std::fmt;
use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::scan::Report;

use super::Applied;
use crate::fault::{Cause, Fault, Kind};
use crate::fields::MIN_PART;
use crate::files;
use crate::ids::{RevisionId, RunId};
use crate::places;
use crate::references;
use crate::settings::Layout;
use crate::souls;
use crate::store;
use crate::workspace::{AgentName, SoulId};

/// Whose soul is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// An agent.
    Agent(AgentName),
    /// The library, which holds it under this id.
    Library(SoulId),
}

impl Owner {
    /// The agent's name, or the id of the library soul.
    fn name(&self) -> &str {
        match self {
            Self::Agent(name) => name.as_str(),
            Self::Library(id) => id.as_str(),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(name) => write!(f, "`{name}`"),
            Self::Library(id) => write!(f, "the soul `{id}`"),
        }
    }
}

/// How the state differs from what the caller expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// A digest was given, and there is no file.
    #[error("a digest was given, but there is no soul yet")]
    Absent,
    /// There is a file, and no digest was given.
    #[error("there is already a soul: give the digest of the text that you have seen")]
    DigestRequired,
    /// The file is not the one that was expected.
    #[error("the soul has changed: it is not the expected one")]
    Stale,
    /// The last revision is not the one that was expected, or the file was changed since.
    #[error("the soul has changed since the expected revision")]
    OtherRevision,
    /// The digest is right, and shortened too much to count.
    #[error("the digest `{0}` is too short")]
    DigestTooShort(String),
    /// Another text of the soul has a digest that begins in the same way.
    #[error("the digest `{0}` is ambiguous: another text of the soul begins with it too")]
    DigestAmbiguous(String),
    /// The idempotency key stands for another request.
    #[error("the idempotency key was used for another request")]
    KeyUsed,
    /// The session is bound to another soul.
    #[error("the session is not bound to the expected soul")]
    OtherSession,
    /// A run of the session is live.
    #[error("the session has a live run, `{0}`")]
    LiveRun(RunId),
}

/// Why a soul was not changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `[discovery] read_only` names the layout that the agent is found in.
    #[error("the agent `{}` is in `{}`, which is read-only", .0, .1.folder())]
    ReadOnlyLayout(AgentName, Layout),
    /// Another writer holds the lock.
    #[error("{} is being changed by another program", locked(.0))]
    Locked(Owner),
    /// The file is too large to be recorded before it is replaced.
    #[error("{} is larger than 1 MiB, the limit of the record", file_of(.0))]
    TooLargeToAdopt(Owner),
    /// The text is too large to be recorded.
    #[error("the text is larger than 1 MiB, the limit of the record")]
    TooLargeToKeep,
    /// Another keeper changed the record between two steps of this change.
    #[error("another program changed the record of {0} at the same time")]
    Displaced(Owner),
    /// The directory was taken away, and what was written with it.
    #[error("the directory of {0} was replaced during the change")]
    DirectoryReplaced(Owner),
    /// The record may not be changed from this directory.
    #[error(transparent)]
    Place(#[from] places::Error),
    /// There is an agent of this name, and it has a soul.
    #[error("the agent `{0}` already exists")]
    AgentExists(AgentName),
    /// Another file is where one of a new agent would be.
    #[error("`{0}` already exists in the agent's directory")]
    InTheWay(String),
    /// An agent wants to change its own soul.
    #[error("the agent `{0}` cannot change its own soul")]
    SelfEdit(String),
    /// The state is not what the caller expected.
    #[error("{conflict}")]
    Conflict {
        /// What differs.
        conflict: Conflict,
        /// The digest of the soul as it is, if there is one.
        current_digest: Option<String>,
    },
    /// There is nothing to remove.
    #[error("there is no soul at `{0}`")]
    SoulMissing(String),
    /// There is no file that could go on record.
    #[error("there is no file at `{0}` to record")]
    NothingToRecord(String, Owner),
    /// No change came before.
    #[error("{0} had no soul before its last change")]
    NothingToUndo(Owner),
    /// The name of a revision says too little.
    #[error(transparent)]
    Reference(#[from] references::Error),
    /// The soul has no such revision.
    #[error("there is no revision `{0}`")]
    RevisionNotFound(RevisionId),
    /// The revision removed the soul, or recorded that it was removed.
    #[error("the revision `{0}` has no text: it deleted the soul")]
    RevisionWithoutText(RevisionId),
    /// The scanner refuses the text, or could not scan all of it.
    #[error("the scanner refuses the text of `{0}`")]
    Poisoned(String, Box<Report>),
    /// The file could not be written.
    #[error("could not write `{}`: {}", .0, files::plain(.1))]
    Unwritable(String, #[source] io::Error),
    /// The change was made, and afterwards something failed.
    #[error("the change was made, but it could not be confirmed: {1}")]
    Unconfirmed(Box<Applied>, #[source] Cause),
    /// There is no soul to change.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

fn locked(owner: &Owner) -> String {
    match owner {
        Owner::Agent(name) => format!("the agent `{name}`"),
        Owner::Library(_) => "the library".to_owned(),
    }
}

fn file_of(owner: &Owner) -> String {
    match owner {
        Owner::Agent(name) => format!("the SOUL.md of `{name}`"),
        Owner::Library(id) => format!("the file of the soul `{id}`"),
    }
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::ReadOnlyLayout(..) => Fault::new(
                Kind::Blocked,
                "agent_read_only",
                "remove its layout from `[discovery] read_only`, or copy its directory into `agents/` of the home",
            ),
            Self::Locked(owner) => {
                let code = if matches!(owner, Owner::Agent(_)) { "agent_locked" } else { "library_locked" };
                Fault::new(Kind::Unable, code, "wait until it is done, and try again")
            }
            Self::TooLargeToAdopt(_) => Fault::new(
                Kind::Blocked,
                "too_large_to_adopt",
                "a soul is a few pages of text; move the file away and try again",
            ),
            Self::TooLargeToKeep => {
                Fault::new(Kind::Invalid, "too_large_to_keep", "a soul is a few pages of text; is this the right file?")
            }
            Self::Displaced(_) => {
                Fault::new(Kind::Unable, "displaced", "nothing is lost; look at the current soul and try again")
            }
            Self::DirectoryReplaced(_) => Fault::new(
                Kind::Conflict,
                "directory_replaced",
                "the text was not written; look at the current soul and try again",
            ),
            Self::Place(error) => error.fault(),
            Self::AgentExists(name) => {
                Fault::new(Kind::Conflict, "agent_exists", format!("`soul edit {name}` changes its soul"))
            }
            Self::InTheWay(_) => {
                Fault::new(Kind::Conflict, "file_exists", "move the file away, or choose another name")
            }
            Self::SelfEdit(name) => Fault::new(
                Kind::Denied,
                "self_edit",
                format!("propose the change with `soul propose {name}`; a person reviews it"),
            ),
            Self::Conflict { conflict, current_digest } => conflict.fault(current_digest.as_deref()),
            Self::SoulMissing(_) => {
                Fault::new(Kind::NotFound, "soul_missing", "`soul history` shows when it was deleted, and its text")
            }
            Self::NothingToRecord(_, owner) => Fault::new(
                Kind::NotFound,
                "soul_missing",
                format!("if it was removed by mistake, `soul undo {}` brings it back", owner.name()),
            ),
            Self::NothingToUndo(owner) => Fault::new(
                Kind::NotFound,
                "nothing_to_undo",
                format!(
                    "`soul delete {0}` deletes the soul; `soul rollback {0}` restores an earlier one",
                    owner.name()
                ),
            ),
            Self::Reference(error) => error.fault(),
            Self::RevisionNotFound(_) | Self::RevisionWithoutText(_) => {
                Fault::new(Kind::NotFound, "revision_not_found", "`soul history` lists the revisions")
            }
            Self::Poisoned(..) => Fault::new(
                Kind::Invalid,
                "soul_poisoned",
                "`soul explain ID` explains a finding; remove the text, or write it anyway with a reason in `force`",
            ),
            Self::Unwritable(..) => Fault::new(
                Kind::Unable,
                "io",
                "check the permissions of the file and its directory, and the free disk space",
            ),
            Self::Unconfirmed(..) => Fault::new(
                Kind::Unconfirmed,
                "unconfirmed",
                "do not repeat it; once the cause is fixed, `soul history` shows whether it was recorded",
            ),
            Self::Soul(error) => error.fault(),
            Self::Store(error) => error.fault(),
        }
    }
}

impl Conflict {
    pub(crate) fn fault(&self, current_digest: Option<&str>) -> Fault {
        let hint = match self {
            Self::Absent => "leave `expected_digest` out to write the first soul".into(),
            Self::DigestTooShort(_) => format!("give at least {MIN_PART} characters after `sha256:`").into(),
            Self::DigestAmbiguous(_) => "give more characters of the digest".into(),
            Self::DigestRequired | Self::Stale | Self::OtherRevision => {
                let digest = current_digest.unwrap_or_default();
                format!("look at the current soul, then give `expected_digest` {digest}").into()
            }
            Self::KeyUsed => "choose another key, or repeat the same request".into(),
            Self::OtherSession => "`soul session show` prints the digest to expect".into(),
            Self::LiveRun(_) => "finish the run first, or wait until its lease has expired".into(),
        };
        Fault { kind: Kind::Conflict, code: "soul_conflict", hint: Some(hint) }
    }
}
