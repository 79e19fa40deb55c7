//! Add a section to the day's log or to a topic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::search::Day;

use crate::authoring::Subject;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Moment, NonBlank, given};
use crate::files;
use crate::memory::{self, Error as MemoryError, MAX_TEXT, MemoryOf};
use crate::ops::{Error, Hints, Operation};
use crate::workspace::Memory;

/// Add a section to the day's log of a memory, or to a topic.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// The text to add, at most 1 MiB.
    pub text: String,
    /// Heading of the section; defaults to the time in a log and to the date in a topic.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub section: Option<NonBlank>,
    /// Topic to add to, instead of the day's log.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub topic: Option<NonBlank>,
    /// Time of the note; defaults to the current time. Days are those of UTC.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub now: Option<Moment>,
}

/// Where the section was added.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryAddition")]
pub struct Response {
    /// The file, relative to the memory's directory.
    pub file: String,
    /// Heading of the section.
    pub section: String,
    /// Line of the heading.
    pub line: usize,
    /// Last line of the section.
    pub end_line: usize,
    /// Whether the file is new.
    pub created: bool,
}

impl Operation for Request {
    const NAME: &'static str = "memory.add";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    /// Callers that add at the same time wait for each other, and nothing of either is lost.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let text = self.text.trim();
        if text.is_empty() {
            return Err(MemoryError::NothingToAdd.into());
        }
        if text.len() > MAX_TEXT {
            return Err(MemoryError::TooMuchToAdd.into());
        }
        if let MemoryOf::Agent(name) = &self.memory {
            keeper.agent(name)?.check_writable()?;
        }
        let memory = self.memory.open(keeper)?;
        let Place { file, title, heading } = self.place(&memory, super::seconds(keeper, self.now))?;
        let _lock = memory::lock(keeper, &memory)?;
        let (mut bytes, created) = match memory.read(&file) {
            Ok(bytes) => (bytes, false),
            Err(files::Error::NotFound) => (format!("# {title}\n").into_bytes(), true),
            Err(error) => return Err(MemoryError::Refused(file, error.into()).into()),
        };
        let (line, end_line) = append(&mut bytes, &heading, text);
        if bytes.len() as u64 > files::MAX_BYTES {
            return Err(MemoryError::Refused(file, files::Error::TooLarge.into()).into());
        }
        memory::write(&memory, &file, &bytes)?;
        Ok(Response { file, section: heading, line, end_line, created })
    }
}

/// Where a section goes.
struct Place {
    file: String,
    /// The title of the file, if it is made.
    title: String,
    heading: String,
}

impl Request {
    fn place(&self, memory: &Memory, seconds: i64) -> Result<Place, MemoryError> {
        let (day, layout) = (Day::of_seconds(seconds).to_string(), memory.layout());
        let (file, title, usual) = match self.topic.as_ref().map(NonBlank::as_str) {
            Some(topic) if is_name(topic) => (layout.topic(topic), topic.to_owned(), day),
            Some(topic) => return Err(MemoryError::BadTopic(topic.to_owned())),
            None => (layout.daily(Day::of_seconds(seconds)), day, time_of_day(seconds)),
        };
        let heading = self.section.as_ref().map(|heading| words(heading.as_str()));
        Ok(Place { file, title, heading: heading.unwrap_or(usual) })
    }
}

/// A heading is one line.
fn words(heading: &str) -> String {
    heading.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The time of day in UTC, as `HH:MM`.
fn time_of_day(seconds: i64) -> String {
    let minutes = seconds.rem_euclid(86_400) / 60;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Appends a section, with the file's own line ends and one blank line before the heading. Returns its first and
/// its last line.
fn append(bytes: &mut Vec<u8>, heading: &str, text: &str) -> (usize, usize) {
    let end = if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.extend_from_slice(end.as_bytes());
    }
    if !bytes.is_empty() && !bytes.ends_with(b"\n\n") && !bytes.ends_with(b"\n\r\n") {
        bytes.extend_from_slice(end.as_bytes());
    }
    let line = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    let body: Vec<&str> = text.lines().collect();
    for written in [&format!("## {heading}")[..], ""].into_iter().chain(body.iter().copied()) {
        bytes.extend_from_slice(written.as_bytes());
        bytes.extend_from_slice(end.as_bytes());
    }
    (line, line + 1 + body.len())
}

/// Whether a topic can be part of a file's name.
fn is_name(topic: &str) -> bool {
    let plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | '*');
    !topic.is_empty() && topic.len() <= 128 && !topic.starts_with('.') && topic.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_day_is_that_of_utc() {
        for (seconds, time) in
            [(0, "00:00"), (59, "00:00"), (86_399, "23:59"), (-60, "23:59"), (1_763_208_060, "12:01")]
        {
            assert_eq!(time_of_day(seconds), time);
        }
    }

    #[test]
    fn blank_keys_are_absent() {
        let text = r#"{"agent":"aria","text":"x","section":" ","topic":"","now":""}"#;
        let request: Request = serde_json::from_str(text).unwrap();
        assert!(request.section.is_none() && request.topic.is_none() && request.now.is_none());
        assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"agent":"aria","text":"x"}"#);
        assert!(!request.is_local());
        assert!(serde_json::from_str::<Request>(r#"{"text":"x"}"#).is_err());
    }
}
