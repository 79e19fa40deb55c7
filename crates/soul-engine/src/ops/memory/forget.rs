//! Take a section out of a memory, and bring it back.
//!
//! What was taken is kept under the home in `memory-history/<memory>/`: for each removal a numbered
//! `.json` that says where it stood and a `.md` with its bytes. Undoing is putting the bytes back
//! where what stood before them, or else what stood after them, is still the same.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use super::{Which, Whose};
use crate::Keeper;
use crate::files;
use crate::ops::{Error, Grant};
use crate::workspace::Memory;

/// It changes a memory.
pub const GRANT: Grant = Grant::Write;

/// What to take out, or that the last removal is undone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose memory.
    pub whose: Whose,
    /// What to do.
    pub what: What,
}

/// What to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum What {
    /// Take out this section of this file.
    Forget(String, Which),
    /// Bring back what was taken out last.
    Undo,
}

/// What was done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The file.
    pub file: String,
    /// The heading's text.
    pub section: String,
    /// The line of the heading, where it stood or stands again.
    pub line: usize,
    /// The number of the record.
    pub record: u32,
    /// Whether it is back.
    pub restored: bool,
}

/// Where something stood that was taken out.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    file: String,
    section: String,
    line: usize,
    /// The byte it began at.
    offset: usize,
    /// Of what stood before it.
    before: String,
    /// Of what stood after it, and how long that was.
    after: String,
    after_bytes: usize,
}

fn digest(bytes: &[u8]) -> String {
    RawDigest::of(bytes).to_string()
}

/// Takes the section out or brings it back.
///
/// # Errors
/// When there is no such section, nothing to undo, no place to keep what is taken, or the file has
/// changed too much to undo.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let memory = super::open(keeper, &request.whose)?;
    let history = History::of(keeper, &memory)?;
    let _lock = super::lock(keeper, &memory)?;
    match &request.what {
        What::Forget(file, which) => forget(keeper, &memory, &history, file, which),
        What::Undo => undo(&memory, &history),
    }
}

fn forget(keeper: &Keeper, memory: &Memory, history: &History, typed: &str, which: &Which) -> Result<Response, Error> {
    let (file, bytes) = super::read(keeper, memory, typed)?;
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return Err(Error::Refused(file, "it is not UTF-8 text".to_owned()));
    };
    let section = super::find(text, &file, which)?;
    let (before, rest) = bytes.split_at(section.span.start);
    let (taken, after) = rest.split_at(section.span.len());
    let record = Record {
        file: file.clone(),
        section: super::named(&section.heading).to_owned(),
        line: section.line,
        offset: before.len(),
        before: digest(before),
        after: digest(after),
        after_bytes: after.len(),
    };
    let number = history.add(&record, taken)?;
    super::write(memory, &file, &[before, after].concat())?;
    Ok(Response { file, section: record.section, line: record.line, record: number, restored: false })
}

fn undo(memory: &Memory, history: &History) -> Result<Response, Error> {
    let Some((number, record, taken)) = history.last()? else { return Err(Error::NothingToUndo) };
    let now = match memory.read(&record.file) {
        Ok(bytes) => bytes,
        Err(files::Error::NotFound) => Vec::new(),
        Err(error) => return Err(Error::Refused(record.file, error.to_string())),
    };
    let from_end = now.len().checked_sub(record.after_bytes);
    let never_taken = now.get(record.offset..record.offset + taken.len()) == Some(&taken[..])
        && digest(&now[..record.offset]) == record.before
        && digest(&now[record.offset + taken.len()..]) == record.after;
    let same_before = now.get(..record.offset).is_some_and(|before| digest(before) == record.before);
    let same_after = from_end.filter(|at| digest(&now[*at..]) == record.after);
    let at = match same_after {
        _ if same_before => record.offset,
        Some(at) => at,
        None => return Err(Error::CannotUndo(record.file, number)),
    };
    if !never_taken {
        super::write(memory, &record.file, &[&now[..at], &taken, &now[at..]].concat())?;
    }
    history.remove(number);
    let line = now[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    Ok(Response { file: record.file, section: record.section, line, record: number, restored: true })
}

/// The folder of the home.
const HISTORY: &str = "memory-history";

/// The records of one memory.
struct History {
    folder: PathBuf,
}

impl History {
    fn of(keeper: &Keeper, memory: &Memory) -> Result<Self, Error> {
        let home = keeper.roots.home.as_deref().ok_or(Error::NoHome)?;
        let key =
            memory.key().map_err(|error| Error::Unlistable(keeper.roots.shown(memory.root()), error.to_string()))?;
        Ok(Self { folder: home.join(HISTORY).join(key) })
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

    /// Keeps what is about to be taken, before it is.
    fn add(&self, record: &Record, taken: &[u8]) -> Result<u32, Error> {
        let number = self.numbers().last().map_or(1, |last| last + 1);
        let json = serde_json::to_vec_pretty(record).unwrap_or_default();
        let both = [(self.path(number, "md"), taken), (self.path(number, "json"), json.as_slice())];
        fs::create_dir_all(&self.folder)
            .and_then(|()| files::replace_all(&both))
            .map_err(|error| Error::Unwritable(HISTORY.to_owned(), files::plain(&error)))?;
        Ok(number)
    }

    fn last(&self) -> Result<Option<(u32, Record, Vec<u8>)>, Error> {
        let Some(number) = self.numbers().last().copied() else { return Ok(None) };
        let unreadable = |why: String| Error::Refused(format!("{HISTORY}/{number:06}.json"), why);
        let json = fs::read(self.path(number, "json")).map_err(|error| unreadable(files::plain(&error)))?;
        let record = serde_json::from_slice(&json).map_err(|error| unreadable(error.to_string()))?;
        let taken = fs::read(self.path(number, "md")).map_err(|error| unreadable(files::plain(&error)))?;
        Ok(Some((number, record, taken)))
    }

    /// A record whose bytes are back in the file is done with.
    fn remove(&self, number: u32) {
        let _ = fs::remove_file(self.path(number, "json"));
        let _ = fs::remove_file(self.path(number, "md"));
    }
}
