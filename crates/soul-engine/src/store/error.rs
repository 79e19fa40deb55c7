use std::io;

use super::NotedBackup;
use super::revision::Broken;
use crate::fault::{Cause, Fault, Kind};

/// What an engine or the system said. Its text names no path; the error that it came from may.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Detail {
    text: String,
    source: Option<Cause>,
}

impl Detail {
    pub(super) fn new(text: String, source: impl Into<Cause>) -> Self {
        Self { text, source: Some(source.into()) }
    }

    /// What the system said.
    pub(crate) fn io(error: io::Error) -> Self {
        Self::new(crate::files::plain(&error), error)
    }
}

impl From<String> for Detail {
    fn from(text: String) -> Self {
        Self { text, source: None }
    }
}

impl From<&str> for Detail {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home.
    #[error("there is no home directory for the store")]
    NoHome,
    /// Another process had it locked for too long.
    #[error("the store is locked by another program")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The disk failed, or had no room for what the database keeps beside itself.
    #[error("the disk failed while the store was used: {0}")]
    Disk(#[source] Detail),
    /// The file may not be written.
    #[error("the store cannot be written: {0}")]
    ReadOnly(#[source] Detail),
    /// The file is not a database, or holds what no store holds.
    #[error("the store is damaged: {0}")]
    Damaged(#[source] Detail),
    /// A later version of this program has changed its tables.
    #[error("the store was created by a later version of soul (schema {0})")]
    Newer(i64),
    /// The file that was opened is no longer at its path.
    #[error("the store was removed or replaced while it was in use; nothing more is written to it")]
    Replaced,
    /// The store is not the one that was in use, or not all of it.
    #[error("the record was lost or rolled back: {how}")]
    Lost {
        /// What shows it.
        how: String,
        /// The file in the home that remembers it.
        mark: String,
        /// The last backup, if one was made.
        backup: Option<NotedBackup>,
    },
    /// The server that has it cannot be reached.
    #[error("the store cannot be reached: {0}")]
    Unavailable(#[source] Detail),
    /// The server went away while it was told to commit.
    #[error("the change was sent, but not confirmed: {0}")]
    Unconfirmed(#[source] Detail),
    /// A text has a character that no database keeps.
    #[error("a text contains a NUL character")]
    Nul,
    /// Others were in the way of a transaction, again and again.
    #[error("too many others are changing the same rows")]
    Collided,
    /// A migration into it was begun, and not finished.
    #[error("a migration into this store was not finished")]
    Unfinished,
    /// Others have it open.
    #[error("the store is in use by another program, probably `soul serve`")]
    InUse,
    /// Anything else.
    #[error("could not use the store: {0}")]
    Failed(#[source] Detail),
}

impl From<Broken> for Error {
    fn from(Broken(id): Broken) -> Self {
        Self::Damaged(format!("the revision {id} has a value that no revision has").into())
    }
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::Lost { backup, mark, .. } => {
                return Fault::new(Kind::Unable, "store_lost", lost_hint(backup.as_ref(), mark));
            }
            Self::Replaced => (
                Kind::Unable,
                "store_lost",
                "stop the service, restore the store with `soul restore-backup FILE`, and start it again",
            ),
            Self::Unfinished => (
                Kind::Unable,
                "store_unfinished",
                "run the same `soul store migrate` or `soul restore-backup` again: it continues where it stopped",
            ),
            Self::InUse => (Kind::Unable, "store_in_use", "stop the service and other `soul` commands, and try again"),
            Self::NoHome => (Kind::Unable, "no_home", "set `SOUL_HOME`, or give `--home`"),
            Self::Busy | Self::Collided => {
                (Kind::Unable, "store_busy", "wait until the other program is done, and try again")
            }
            Self::Unavailable(_) => {
                (Kind::Unable, "store_unavailable", "check the address, and whether the server runs; then try again")
            }
            Self::Unconfirmed(_) => {
                (Kind::Unconfirmed, "unconfirmed", "look at the record before you repeat the change")
            }
            Self::Nul => (Kind::Usage, "bad_request", "remove the NUL character"),
            Self::Full => (Kind::Full, "store_full", ROOM),
            Self::Disk(_) => (Kind::Unable, "store_disk", ROOM),
            Self::ReadOnly(_) => (
                Kind::Unable,
                "store_read_only",
                "check the permissions of the home and of `keeper.db`, or of the user of the database",
            ),
            Self::Newer(_) => (Kind::Unable, "store_newer", "use the later version"),
            Self::Damaged(_) => (Kind::Unable, "store_damaged", DOCTOR),
            Self::Failed(_) => (Kind::Unable, "store_failed", DOCTOR),
        };
        Fault::new(kind, code, hint)
    }
}

fn lost_hint(backup: Option<&NotedBackup>, mark: &str) -> String {
    let which = match backup {
        Some(NotedBackup { file, time }) => {
            format!(" (the last one is `{}`, made {time})", soul_core::text::visible(file))
        }
        None => String::new(),
    };
    format!(
        "bring it back with `soul restore-backup FILE`{which}; to go on without what was lost, remove `{mark}` from \
         the home"
    )
}

const ROOM: &str = "free some disk space and try again; nothing was lost";
const DOCTOR: &str = "run `soul doctor`";
