//! Sections that were removed from a memory, kept under the home in `memory-history/<memory>/`: for each removal
//! a numbered `.json` that says where it stood and a `.md` with its bytes. An agent's memory is named by its key, so
//! that its removals are found wherever its folder is moved; another one by its path.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use super::Error;
use crate::Keeper;
use crate::fault::Cause;
use crate::files;
use crate::souls;
use crate::workspace::{Memory, SoulKey};

/// The folder of the home.
const FOLDER: &str = "memory-history";

/// Where a removed section stood.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) file: String,
    pub(crate) section: String,
    pub(crate) line: usize,
    /// The byte it began at.
    pub(crate) offset: usize,
    /// The digest of the text before it.
    before: String,
    /// The digest and the length of the text after it.
    after: String,
    after_bytes: usize,
}

fn digest(bytes: &[u8]) -> String {
    RawDigest::of(bytes).to_string()
}

impl Record {
    pub(crate) fn new(file: String, section: String, line: usize, before: &[u8], after: &[u8]) -> Self {
        let (offset, after_bytes) = (before.len(), after.len());
        Self { file, section, line, offset, before: digest(before), after: digest(after), after_bytes }
    }

    /// Where the section belongs in a file as it is now: after what stood before it, or before what stood after
    /// it.
    pub(crate) fn position(&self, now: &[u8]) -> Option<usize> {
        let same_before = now.get(..self.offset).is_some_and(|before| digest(before) == self.before);
        let from_end = now.len().checked_sub(self.after_bytes);
        let same_after = from_end.filter(|at| digest(&now[*at..]) == self.after);
        if same_before { Some(self.offset) } else { same_after }
    }

    /// Whether a text is the one that the section was removed from, or the one that was left.
    fn is_known(&self, text: &[u8], removed: &[u8]) -> bool {
        let is_rest = |text: &[u8]| {
            let parts = text.split_at_checked(self.offset);
            parts.is_some_and(|(before, after)| digest(before) == self.before && digest(after) == self.after)
        };
        self.is_in_place(text, removed) || is_rest(text)
    }

    /// Whether the section still stands where it stood: it was recorded and never removed.
    pub(crate) fn is_in_place(&self, now: &[u8], removed: &[u8]) -> bool {
        now.get(self.offset..self.offset + removed.len()) == Some(removed)
            && digest(&now[..self.offset]) == self.before
            && digest(&now[self.offset + removed.len()..]) == self.after
    }
}

/// What names the memory of an agent in the home: its scope and name, never a path.
pub(crate) fn name_of(key: &SoulKey) -> String {
    let digest = RawDigest::of(format!("{}\n{}", key.scope, key.name).as_bytes());
    digest.as_bytes()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The removals of one memory.
pub(crate) struct History {
    folder: PathBuf,
}

impl History {
    pub(crate) fn open(keeper: &Keeper, memory: &Memory) -> Result<Self, Error> {
        let home = keeper.roots.home.as_deref().ok_or(Error::NoHome)?;
        let path = memory.key().map_err(|error| Error::Unlistable(keeper.roots.shown(memory.root()), error.into()))?;
        let by_path = home.join(FOLDER).join(path);
        let Some(agent) = super::owner(keeper, memory) else { return Ok(Self { folder: by_path }) };
        let key = agent.key().map_err(souls::Error::WorkspaceId)?;
        let folder = home.join(FOLDER).join(name_of(&key));
        // Earlier versions named every memory by its path.
        if by_path.is_dir() && !folder.exists() {
            fs::rename(&by_path, &folder).map_err(|error| Error::io(FOLDER, error))?;
        }
        Ok(Self { folder })
    }

    /// Keeps a text that a change which was cut off has left, and which may be nowhere else.
    pub(crate) fn keep(&self, text: &[u8]) -> Result<(), Error> {
        match self.last() {
            Ok(Some((_, record, removed))) if record.is_known(text, &removed) => Ok(()),
            _ => self.keep_copy(text).map(drop),
        }
    }

    /// Keeps a text in a file of its own. Returns its path in the home.
    pub(crate) fn keep_copy(&self, text: &[u8]) -> Result<String, Error> {
        let digest = RawDigest::of(text);
        let name: String = digest.as_bytes()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join(format!("recovered-{name}.md"));
        files::create_private(&self.folder)
            .and_then(|()| files::replace(&path, text))
            .map_err(|error| Error::io(FOLDER, error))?;
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("{FOLDER}/{folder}/recovered-{name}.md"))
    }

    fn path(&self, number: u32, kind: &str) -> PathBuf {
        self.folder.join(format!("{number:06}.{kind}"))
    }

    /// The numbers of all records, in order.
    fn numbers(&self) -> Vec<u32> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let number = |name: &Path| name.to_str()?.strip_suffix(".json")?.parse().ok();
        let mut numbers: Vec<u32> = entries.filter_map(|entry| number(Path::new(&entry.file_name()))).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Keeps what is about to be removed, before it is.
    pub(crate) fn add(&self, record: &Record, removed: &[u8]) -> Result<u32, Error> {
        let number = self.numbers().last().map_or(1, |last| last + 1);
        let json = serde_json::to_vec_pretty(record).unwrap_or_default();
        let both = [(self.path(number, "md"), removed), (self.path(number, "json"), json.as_slice())];
        files::create_private(&self.folder)
            .and_then(|()| files::replace_all(&both))
            .map_err(|error| Error::io(FOLDER, error))?;
        Ok(number)
    }

    /// The last removal that has not been undone: its number, where it stood, its bytes.
    pub(crate) fn last(&self) -> Result<Option<(u32, Record, Vec<u8>)>, Error> {
        let Some(number) = self.numbers().last().copied() else { return Ok(None) };
        let unreadable = |why: Cause| Error::Refused(format!("{FOLDER}/{number:06}.json"), why);
        let json = fs::read(self.path(number, "json")).map_err(|error| unreadable(files::Error::Io(error).into()))?;
        let record = serde_json::from_slice(&json).map_err(|error| unreadable(error.into()))?;
        let removed = fs::read(self.path(number, "md")).map_err(|error| unreadable(files::Error::Io(error).into()))?;
        Ok(Some((number, record, removed)))
    }

    /// Drops the record of a removal that has been undone.
    pub(crate) fn remove(&self, number: u32) {
        let _ = fs::remove_file(self.path(number, "json"));
        let _ = fs::remove_file(self.path(number, "md"));
    }
}
