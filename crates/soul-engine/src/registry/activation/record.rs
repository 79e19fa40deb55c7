//! What using a package has changed in an agent's directory: enough to take it back, and to end what was cut off.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::model::Dialect;

use super::super::contents::hex;
use super::super::{Error, PackageName, PackagePath, Version};
use crate::clock::Time;
use crate::files::{self, Directory, StagedTree};
use crate::workspace::{AgentName, SoulKey};

/// The folder of records, from the home.
const FOLDER: &str = "packages/.in-use";
/// Names the record of what is being done, if anything is.
const PENDING: &str = "pending";
const RECORD: &str = "record.json";

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Using,
    Used,
    Restoring,
}

/// What using a package has changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) state: State,
    pub(super) package: PackageName,
    pub(super) version: Version,
    pub(super) scope: String,
    pub(super) agent: AgentName,
    pub(super) at: Time,
    /// Whether the agent's directory was made for it.
    pub(super) is_new_agent: bool,
    /// The dialect of the soul before.
    pub(super) dialect: Option<Dialect>,
    /// The text of the soul: before, and after.
    pub(super) soul: Change,
    /// Every file beside it that was changed, by its path.
    pub(super) files: BTreeMap<PackagePath, Change>,
    /// Folders that were made, from the agent's directory.
    pub(super) folders: BTreeSet<String>,
}

/// What a file was, and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) before: Option<Blob>,
    pub(super) after: Option<Blob>,
    /// What it was before any package was in use.
    pub(super) base: Option<Blob>,
}

/// Bytes that the record keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Blob {
    pub(super) sha256: String,
    /// The permissions that the file had.
    pub(super) mode: Option<u32>,
}

impl Blob {
    pub(super) fn of(bytes: &[u8], mode: Option<u32>) -> Self {
        Self { sha256: hex(bytes), mode }
    }

    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        self.sha256 == hex(bytes)
    }
}

/// The records of one agent.
pub(super) struct Shelf {
    home: PathBuf,
    /// From the home.
    folder: PathBuf,
}

/// A record in its place.
pub(super) struct Kept {
    pub(super) record: Record,
    /// From the home.
    folder: PathBuf,
    home: PathBuf,
}

impl Shelf {
    pub(super) fn of(home: &Path, key: &SoulKey) -> Self {
        let id = RawDigest::of(format!("{}\n{}", key.scope, key.name).as_bytes());
        let id: String = id.as_bytes()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        Self { home: home.to_path_buf(), folder: Path::new(FOLDER).join(id) }
    }

    fn numbers(&self) -> Vec<u64> {
        let names = Directory::open(&self.home.join(&self.folder)).and_then(|folder| folder.visible_folders());
        let mut numbers: Vec<u64> = names.unwrap_or_default().iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The package that is in use.
    pub(super) fn last(&self) -> Result<Option<Kept>, Error> {
        match self.numbers().last() {
            Some(number) => Kept::read(&self.home, self.folder.join(number.to_string())),
            None => Ok(None),
        }
    }

    /// Writes a record with the bytes that it names, durably.
    pub(super) fn keep(&self, record: Record, blobs: &BTreeMap<String, Vec<u8>>) -> Result<Kept, Error> {
        let number = self.numbers().last().map_or(1, |last| last + 1);
        let folder = self.folder.join(number.to_string());
        let io = |error| Error::Io(FOLDER.to_owned(), error);
        files::create_private(&self.home.join(&self.folder)).map_err(io)?;
        mark(&self.home, &folder)?;
        let mut staged = StagedTree::begin(&self.home.join(&folder)).map_err(io)?;
        staged.write(RECORD, &serde_json::to_vec_pretty(&record).unwrap_or_default()).map_err(io)?;
        for (name, bytes) in blobs {
            staged.write(Path::new("files").join(name), bytes).map_err(io)?;
        }
        staged.swap().map_err(io)?.sync().map_err(io)?;
        Ok(Kept { record, folder, home: self.home.clone() })
    }
}

impl Kept {
    fn read(home: &Path, folder: PathBuf) -> Result<Option<Self>, Error> {
        let read = Directory::open(&home.join(&folder)).and_then(|directory| directory.read_within(RECORD, 64 << 20));
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(files::Error::NotFound) => return Ok(None),
            Err(error) => return Err(Error::Unreadable(FOLDER.to_owned(), error)),
        };
        let damaged = |error: serde_json::Error| Error::Unreadable(FOLDER.to_owned(), files::Error::Io(error.into()));
        Ok(Some(Self { record: serde_json::from_slice(&bytes).map_err(damaged)?, folder, home: home.to_path_buf() }))
    }

    /// The bytes that it names.
    pub(super) fn bytes(&self, blob: &Blob) -> Result<Vec<u8>, Error> {
        let path = Path::new("files").join(&blob.sha256);
        let read = Directory::open(&self.home.join(&self.folder));
        let read = read.and_then(|directory| directory.read_within(path, super::super::MAX_BYTES as u64));
        let bytes = read.map_err(|error| Error::Unreadable(FOLDER.to_owned(), error))?;
        if blob.holds(&bytes) {
            return Ok(bytes);
        }
        Err(Error::Unreadable(FOLDER.to_owned(), files::Error::Io(std::io::Error::other("its bytes have changed"))))
    }

    /// Keeps more bytes, durably.
    pub(super) fn add(&self, bytes: &[u8]) -> Result<(), Error> {
        let path = self.home.join(&self.folder).join("files").join(hex(bytes));
        files::replace(&path, bytes).map_err(|error| Error::Io(FOLDER.to_owned(), error))
    }

    /// Notes how far it has come. While it is not done, the next caller ends it.
    pub(super) fn set(&mut self, state: State) -> Result<(), Error> {
        self.record.state = state;
        if state != State::Used {
            mark(&self.home, &self.folder)?;
        }
        let json = serde_json::to_vec_pretty(&self.record).unwrap_or_default();
        let path = self.home.join(&self.folder).join(RECORD);
        files::replace(&path, &json).map_err(|error| Error::Io(FOLDER.to_owned(), error))?;
        if state == State::Used { unmark(&self.home) } else { Ok(()) }
    }

    /// Removes it, because what it says is taken back.
    pub(super) fn forget(self) -> Result<(), Error> {
        let folder = self.home.join(&self.folder);
        let removed = std::fs::remove_dir_all(&folder);
        removed.map_err(|error| Error::Io(FOLDER.to_owned(), error))?;
        let _ = folder.parent().map(std::fs::remove_dir);
        unmark(&self.home)
    }

    /// The record that has begun and not ended, if there is one.
    pub(super) fn pending(home: &Path) -> Result<Option<Self>, Error> {
        let Ok(bytes) = std::fs::read(home.join(FOLDER).join(PENDING)) else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        // Two parts, both written by us.
        let parts: Vec<&str> = text.split('/').collect();
        let kept = match parts[..] {
            [id, number] if id.bytes().all(|b| b.is_ascii_hexdigit()) && number.bytes().all(|b| b.is_ascii_digit()) => {
                Self::read(home, Path::new(FOLDER).join(id).join(number))?
            }
            _ => None,
        };
        match kept {
            Some(kept) if kept.record.state != State::Used => Ok(Some(kept)),
            // It ended before it began, or after it was done.
            _ => unmark(home).map(|()| None),
        }
    }
}

/// Whether something has begun and not ended. Cheap, because every command asks.
pub(super) fn is_pending(home: &Path) -> bool {
    home.join(FOLDER).join(PENDING).exists()
}

fn mark(home: &Path, folder: &Path) -> Result<(), Error> {
    let name = folder.strip_prefix(FOLDER).unwrap_or(folder).to_string_lossy().replace('\\', "/");
    files::replace(&home.join(FOLDER).join(PENDING), name.as_bytes())
        .map_err(|error| Error::Io(FOLDER.to_owned(), error))
}

fn unmark(home: &Path) -> Result<(), Error> {
    match std::fs::remove_file(home.join(FOLDER).join(PENDING)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::Io(FOLDER.to_owned(), error)),
        _ => Ok(()),
    }
}
