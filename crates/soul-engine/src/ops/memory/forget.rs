//! Remove a section from a memory, or restore the last one.

use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::authoring::Subject;
use crate::caller::Grant;
use crate::context::Context;
use crate::files;
use crate::memory::history::{History, Record};
use crate::memory::{self, Error as MemoryError, MemoryOf, SectionAt, replace, section_name};
use crate::ops::{Error, Hints, Operation};
use crate::store::EventKind;
use crate::workspace::Memory;

/// Remove a section from a memory, or restore the last one that was removed.
///
/// Give `file` with `line` or `section`, or `undo` alone. Removed sections are kept in the home.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// The file, as search names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A line of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// Heading of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Restore the section that was removed last.
    #[serde(default)]
    pub undo: bool,
}

/// The section that was removed or restored.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryRemoval")]
pub struct Response {
    /// The file, relative to the memory's directory.
    pub file: String,
    /// Heading of the section.
    pub section: String,
    /// Line of the heading, before it was removed or after it was restored.
    pub line: usize,
    /// Number of the removal, by which the home keeps it.
    pub record: u32,
    /// Whether the section was restored.
    pub restored: bool,
}

impl Operation for Request {
    const NAME: &'static str = "memory.forget";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let section = self.section()?;
        if let MemoryOf::Agent(name) = &self.memory {
            keeper.agent(name)?.check_writable()?;
        }
        let memory = self.memory.open(keeper)?;
        let history = History::open(keeper, &memory)?;
        let _lock = memory::lock(keeper, &memory)?;
        let done = match section {
            Some((file, at)) => forget(keeper, &memory, &history, file, &at)?,
            None => undo(keeper, &memory, &history)?,
        };
        memory::report(keeper, &memory, EventKind::MemoryForget, &context.author(Self::NAME));
        Ok(done)
    }
}

impl Request {
    /// The section to remove; `None` to undo.
    fn section(&self) -> Result<Option<(&str, SectionAt<'_>)>, MemoryError> {
        let file = self.file.as_deref().filter(|file| !file.trim().is_empty());
        let at = SectionAt::new(self.line, self.section.as_deref())?;
        match (self.undo, file, at) {
            (true, None, None) => Ok(None),
            (true, ..) => Err(MemoryError::UndoAndSection),
            (false, None, _) => Err(MemoryError::FileRequired),
            (false, Some(_), None) => Err(MemoryError::SectionRequired),
            (false, Some(file), Some(at)) => Ok(Some((file, at))),
        }
    }
}

/// Removes a section, after it is on record. A file that somebody changes meanwhile is read again.
fn forget(
    keeper: &Keeper,
    memory: &Memory,
    history: &History,
    typed: &str,
    at: &SectionAt<'_>,
) -> Result<Response, MemoryError> {
    let until = Instant::now() + files::PATIENCE;
    while Instant::now() < until {
        let (file, bytes) = memory::read(keeper, memory, typed)?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return Err(MemoryError::Refused(file, "it is not UTF-8 text".into()));
        };
        let found = memory::find(text, &file, at)?;
        let (before, rest) = bytes.split_at(found.span.start);
        let (removed, after) = rest.split_at(found.span.len());
        let section = section_name(&found.heading).to_owned();
        let record = Record::new(file.clone(), section.clone(), found.line, before, after);
        let number = history.add(&record, removed)?;
        if replace(keeper, memory, history, &file, Some(&[before, after].concat()), Some(&bytes))? {
            return Ok(Response { file, section, line: found.line, record: number, restored: false });
        }
        history.remove(number);
    }
    Err(MemoryError::Locked(typed.to_owned()))
}

/// Restores the section where the text before it, or else the text after it, is still the same.
fn undo(keeper: &Keeper, memory: &Memory, history: &History) -> Result<Response, MemoryError> {
    let Some((number, record, removed)) = history.last()? else { return Err(MemoryError::NothingToUndo) };
    let until = Instant::now() + files::PATIENCE;
    while Instant::now() < until {
        let read = match memory.read(&record.file) {
            Ok(bytes) => Some(bytes),
            Err(files::Error::NotFound) => None,
            Err(error) => return Err(MemoryError::Refused(record.file, error.into())),
        };
        let now = read.as_deref().unwrap_or_default();
        let Some(at) = record.position(now) else { return Err(MemoryError::CannotUndo(record.file, number)) };
        let restored = [&now[..at], &removed, &now[at..]].concat();
        if record.is_in_place(now, &removed)
            || replace(keeper, memory, history, &record.file, Some(&restored), read.as_deref())?
        {
            history.remove(number);
            let line = now[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            return Ok(Response { file: record.file, section: record.section, line, record: number, restored: true });
        }
    }
    Err(MemoryError::Locked(record.file))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(keys: &Value) -> Request {
        let mut request = json!({ "agent": "aria" });
        request.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        serde_json::from_value(request).unwrap()
    }

    #[test]
    fn undo_stands_alone_and_a_section_has_a_file() {
        assert_eq!(read(&json!({ "undo": true, "file": "", "section": " " })).section().unwrap(), None);
        let at = read(&json!({ "file": "a.md", "line": 3, "section": "" }));
        assert_eq!(at.section().unwrap(), Some(("a.md", SectionAt::Line(3))));
        let at = read(&json!({ "file": "a.md", "section": "B" }));
        assert_eq!(at.section().unwrap(), Some(("a.md", SectionAt::Heading("B"))));
        for wrong in [
            json!({}),
            json!({ "file": "a.md" }),
            json!({ "section": "B" }),
            json!({ "file": "a.md", "line": 3, "section": "B" }),
            json!({ "undo": true, "file": "a.md" }),
            json!({ "undo": true, "line": 3 }),
        ] {
            assert!(read(&wrong).section().is_err(), "{wrong}");
        }
    }
}
