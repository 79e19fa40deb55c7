use std::io;

use soul_core::scan::Report;
use soul_core::text::shown;

use crate::fault::{Cause, Fault, Kind};
use crate::files;
use crate::souls;

/// The largest text that is added at once.
pub const MAX_TEXT: usize = 1 << 20;
/// The most results of one search.
pub const MAX_RESULTS: usize = 1000;

/// Why a memory was not read or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no directory in which a memory could be.
    #[error("there is no directory `{0}`")]
    NoMemory(String),
    /// The directory has no memory, and nothing says that an agent lives in it.
    #[error("`{0}` is not an agent's directory and has no memory yet")]
    NotAnAgent(String),
    /// The scanner refuses the text.
    #[error("the scanner refuses the text for `{0}`")]
    Poisoned(String, Box<Report>),
    /// The memory could not be listed.
    #[error("could not list `{0}`: {1}")]
    Unlistable(String, #[source] Cause),
    /// The memory has no such file.
    #[error("the memory has no file {}", shown(.0))]
    FileNotFound(String),
    /// The file exists and must not be read.
    #[error("could not read {}: {}", shown(.0), .1)]
    Refused(String, #[source] Cause),
    /// The file has no such section.
    #[error("there is no {0} in `{1}`")]
    NoSection(String, String),
    /// The request names a section in two ways.
    #[error("give either `line` or `section`")]
    LineAndSection,
    /// The request to forget names no file.
    #[error("the file of the section is missing")]
    FileRequired,
    /// The request to forget names no section.
    #[error("the section is missing")]
    SectionRequired,
    /// The request undoes a removal and names a section.
    #[error("`undo` restores the section that was removed last and cannot be used with `file`, `line` or `section`")]
    UndoAndSection,
    /// The search asks for more results than one search has.
    #[error("`limit` is {0}, but a search has at most {MAX_RESULTS} results")]
    BadLimit(usize),
    /// The text is empty.
    #[error("there is nothing to add")]
    NothingToAdd,
    /// The text is too long.
    #[error("the text is larger than {} MiB, the limit for one addition", MAX_TEXT >> 20)]
    TooMuchToAdd,
    /// The topic cannot be part of a file's name.
    #[error("{} is not a valid topic", shown(.0))]
    BadTopic(String),
    /// Souls are kept in the database, and memories are files.
    #[error("agents whose souls are kept in the database have no memory")]
    InDatabase,
    /// There is no home to keep removed sections in.
    #[error("there is no home directory to keep removed sections in")]
    NoHome,
    /// No section was removed, or all are back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// The text around the removed section is no longer there.
    #[error("cannot restore the section: `{0}` has changed too much")]
    CannotUndo(String, u32),
    /// Another program holds the lock.
    #[error("could not write `{0}`: another program is using it")]
    Locked(String),
    /// The file could not be written.
    #[error("could not write `{0}`: {1}")]
    Unwritable(String, #[source] Cause),
    /// The agent does not exist or could not be opened.
    #[error(transparent)]
    Soul(#[from] souls::Error),
}

impl Error {
    pub(crate) fn io(what: impl Into<String>, error: io::Error) -> Self {
        Self::Unwritable(what.into(), files::Error::Io(error).into())
    }

    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::NoMemory(_) => Fault::new(
                Kind::NotFound,
                "not_found",
                "give the directory that contains `MEMORY.md` and `memory/`, or an agent with `--agent`",
            ),
            Self::NotAnAgent(_) => Fault::new(
                Kind::NotFound,
                "no_memory",
                "add to an agent's memory with `--agent NAME`, or start one here with `--create`",
            ),
            Self::Poisoned(..) => Fault::new(
                Kind::Invalid,
                "memory_poisoned",
                "`soul explain ID` explains a finding; rephrase the text, or add it anyway with a reason in `force`",
            ),
            Self::Unlistable(..) => Fault::new(Kind::Unable, "io", "check the permissions of the folder"),
            Self::FileNotFound(_) => {
                Fault::new(Kind::NotFound, "not_found", "name a file as `soul memory search` or `status` shows it")
            }
            Self::Refused(_, cause) if files::is_machine(cause) => Fault::new(Kind::Unable, "io", souls::MACHINE),
            Self::Refused(..) => Fault::new(Kind::Invalid, "refused", "only regular files inside the memory are read"),
            Self::NoSection(..) => {
                Fault::new(Kind::NotFound, "section_not_found", "`soul memory detail FILE` shows the file")
            }
            Self::LineAndSection | Self::BadLimit(_) => Fault::bare(Kind::Usage, "bad_request"),
            Self::FileRequired => Fault::new(
                Kind::Usage,
                "bad_request",
                "give `file` as `soul memory search` shows it, or `undo` to restore what was removed last",
            ),
            Self::SectionRequired => Fault::new(Kind::Usage, "bad_request", "give `line` or `section`"),
            Self::UndoAndSection => Fault::new(Kind::Usage, "bad_request", "give `undo` alone"),
            Self::NothingToAdd | Self::TooMuchToAdd => Fault::bare(Kind::Invalid, "bad_text"),
            Self::BadTopic(_) => Fault::new(
                Kind::Usage,
                "bad_topic",
                "a topic has 1 to 128 bytes, does not begin with a dot, and has no slash or star",
            ),
            Self::InDatabase => Fault::new(
                Kind::Blocked,
                "unsupported",
                "memory needs files: keep souls in files (`[store] souls = \"files\"`), or give the directory of a memory",
            ),
            Self::NoHome => Fault::new(Kind::Unable, "no_home", "give one with `--home`"),
            Self::NothingToUndo => Fault::bare(Kind::NotFound, "not_found"),
            Self::CannotUndo(_, number) => Fault::new(
                Kind::Conflict,
                "memory_conflict",
                format!("the removed section is in the home: memory-history/*/{number:06}.md"),
            ),
            Self::Locked(_) | Self::Unwritable(..) => Fault::new(
                Kind::Unable,
                "io",
                "check the permissions of the file and its directory, and the free disk space",
            ),
            Self::Soul(error) => error.fault(),
        }
    }
}
