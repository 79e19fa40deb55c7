//! Show what a memory holds, and the state of its index.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::index::Index;
use crate::memory::{Error as MemoryError, MemoryOf};
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{self, MemorySyncState};

/// Show what a memory holds, and the state of its index.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
}

/// The files of a memory, and the state of its index.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryStatus")]
pub struct Response {
    /// The memory's directory.
    pub directory: String,
    /// The files, ordered by path.
    pub files: Vec<File>,
    /// Number of sections in all files, live state included.
    pub sections: u64,
    /// Size of all files, in bytes.
    pub bytes: u64,
    /// State of the index.
    pub index: IndexState,
    /// What is in the directory and is not searched.
    pub unread: Vec<String>,
    /// How the memory stands with its git remote, which is fetched for it; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<MemorySyncState>,
}

/// A file of a memory.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryFile")]
pub struct File {
    /// The file, relative to the memory's directory.
    pub file: String,
    /// What the file is for.
    pub kind: Kind,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of sections.
    pub sections: u32,
}

/// What a file of a memory is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "MemoryFileKind")]
pub enum Kind {
    /// Long-term memory.
    LongTerm,
    /// The log of a day.
    Daily,
    /// Notes on a topic.
    Topic,
    /// Live state.
    Runtime,
    /// Any other file in the memory's folders.
    Other,
}

/// State of a memory's index.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryIndexState")]
pub struct IndexState {
    /// Whether the index is kept on disk.
    pub kept: bool,
    /// Why it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Number of segments.
    pub segments: usize,
}

impl Operation for Request {
    const NAME: &'static str = "memory.status";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// A memory that is connected with a remote waits for it.
    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    /// Brings the index up to date first.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (keeper, progress) = (context.keeper, context.progress);
        let memory = self.memory.open(keeper)?;
        let directory = keeper.roots.shown(memory.root());
        let advance = |total| progress.advance(super::INDEXED, 1, Some(total));
        let index = Index::open(&memory, keeper.roots.home.as_deref(), true, &advance)
            .map_err(|error| MemoryError::Unlistable(directory.clone(), error.into()))?;
        let layout = memory.layout();
        let kind = |path: &str| match path {
            path if path == layout.long_term => Kind::LongTerm,
            path if layout.is_runtime(path) => Kind::Runtime,
            path if layout.topic_of(path).is_some() => Kind::Topic,
            path if layout.is_daily(path) => Kind::Daily,
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
            index: IndexState { kept: index.not_kept.is_none(), why: index.not_kept, segments: index.segments },
            unread: index.unread,
            sync: sync::memory::status(keeper, &self.memory)?,
        })
    }
}
