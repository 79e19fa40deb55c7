//! Add a section to the day's log or to a topic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::scan::{File, Finding, Trust, scan_as};
use soul_core::search::Day;

use crate::authoring::{Subject, is_refused};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Moment, NonBlank, given};
use crate::memory::{self, Appended, Error as MemoryError, MAX_TEXT, MemoryOf};
use crate::ops::{Error, Hints, Operation};
use crate::store::EventKind;
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
    /// Start a memory in a directory that has none and is no agent's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub create: bool,
    /// Why to add the text whatever the scanner finds.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
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
    /// What the scanner found in the text; absent if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
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

    /// Callers that add at the same time wait for each other, and nothing that others add to the file is lost.
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
        if !self.create && !memory.exists() && !memory.is_agent() {
            return Err(MemoryError::NotAnAgent(keeper.roots.shown(memory.root())).into());
        }
        let Place { file, title, heading } = self.place(&memory, super::seconds(keeper, self.now))?;
        // What an agent remembers reaches its prompt, so it is scanned as a stranger's.
        let scanned = format!("# {heading}\n\n{text}\n");
        let report = scan_as(&[File { path: &file, bytes: scanned.as_bytes() }], Trust::Stranger);
        if is_refused(keeper, &report, &context.author(Self::NAME).actor, self.force.as_ref()) {
            return Err(MemoryError::Poisoned(file, Box::new(report)).into());
        }
        let _lock = memory::lock(keeper, &memory)?;
        let block = |before: Option<&[u8]>| match before {
            Some(before) => section(before, &heading, text),
            None => {
                let top = format!("# {title}\n").into_bytes();
                let (block, blank) = section(&top, &heading, text);
                ([top, block].concat(), blank + 1)
            }
        };
        let Appended { lines_before, blank, created } = memory::append(keeper, &memory, &file, &block)?;
        memory::report(keeper, &memory, EventKind::MemoryAdd, &context.author(Self::NAME));
        let line = lines_before + blank + 1;
        Ok(Response {
            file,
            section: heading,
            line,
            end_line: line + 1 + text.lines().count(),
            created,
            findings: report.findings,
        })
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

/// A section that comes after a text, with its line ends and one blank line before the heading; and the number of
/// line ends that it begins with.
fn section(before: &[u8], heading: &str, text: &str) -> (Vec<u8>, usize) {
    let end = if before.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let blank = match before {
        [] => 0,
        [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => 0,
        [.., b'\n'] => 1,
        _ => 2,
    };
    let mut lines = vec![""; blank];
    let heading = format!("## {heading}");
    lines.extend([&*heading, ""]);
    lines.extend(text.lines());
    (lines.iter().flat_map(|line| [*line, end]).collect::<String>().into_bytes(), blank)
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
