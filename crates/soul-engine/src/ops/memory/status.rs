//! What a memory holds, and how it stands with its index.

use serde::{Deserialize, Serialize};

use super::Whose;
use crate::Keeper;
use crate::index::{Index, Progress};
use crate::ops::{Error, Grant};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose memory.
    pub whose: Whose,
}

/// What there is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The directory, as users see it.
    pub directory: String,
    /// Every file, in the order of their paths.
    pub files: Vec<File>,
    /// The sections of all of them, live state included.
    pub sections: u64,
    /// The bytes of all of them.
    pub bytes: u64,
    /// The index.
    pub index: State,
    /// What is there and is not searched.
    pub unread: Vec<String>,
}

/// One file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct File {
    /// From the memory's directory.
    pub file: String,
    /// What it is to the memory.
    pub kind: Kind,
    /// Its size.
    pub bytes: u64,
    /// How many sections it has.
    pub sections: u32,
}

/// What a file is to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// What is always known.
    LongTerm,
    /// A day's log.
    Daily,
    /// A topic's notes.
    Topic,
    /// Live state.
    Runtime,
    /// Anything else below the memory's folders.
    Other,
}

/// The index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    /// Whether it is kept on disk.
    pub kept: bool,
    /// Why not, if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many segments it has.
    pub segments: usize,
}

/// Brings the index up to date and tells what is in it.
///
/// # Errors
/// When there is no such memory, or it cannot be listed.
pub fn run(keeper: &Keeper, request: &Request, progress: Progress<'_>) -> Result<Response, Error> {
    let memory = super::open(keeper, &request.whose)?;
    let directory = keeper.roots.shown(memory.root());
    let index = Index::open(&memory, keeper.roots.home.as_deref(), true, progress)
        .map_err(|error| Error::Unlistable(directory.clone(), error.to_string()))?;
    let kind = |path: &str| match path {
        path if path == memory.layout().long_term => Kind::LongTerm,
        path if memory.layout().is_runtime(path) => Kind::Runtime,
        path if memory.layout().topic_of(path).is_some() => Kind::Topic,
        path if memory.layout().is_daily(path) => Kind::Daily,
        _ => Kind::Other,
    };
    let file =
        |(path, bytes, sections): (&str, u64, u32)| File { file: path.into(), kind: kind(path), bytes, sections };
    let files: Vec<File> = index.files().map(file).collect();
    Ok(Response {
        directory,
        sections: index.living(),
        bytes: files.iter().map(|file| file.bytes).sum(),
        files,
        index: State { kept: index.not_kept.is_none(), why: index.not_kept, segments: index.segments },
        unread: index.unread,
    })
}
