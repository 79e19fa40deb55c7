//! Add a section to the day's log or to a topic.

use serde::{Deserialize, Serialize};
use soul_core::search::Day;

use super::Whose;
use crate::Keeper;
use crate::files;
use crate::ops::{Error, Grant};

/// It changes a memory.
pub const GRANT: Grant = Grant::Write;

/// What to add, and where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose memory.
    pub whose: Whose,
    /// The text.
    pub text: String,
    /// The heading; the time in a log, the date in a topic if there is none.
    pub heading: Option<String>,
    /// The topic; the day's log if there is none.
    pub topic: Option<String>,
    /// Today.
    pub day: Day,
    /// The time of day, as `HH:MM`.
    pub time: String,
}

/// What was added.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The file.
    pub file: String,
    /// The heading.
    pub section: String,
    /// The line of the heading.
    pub line: usize,
    /// The last line.
    pub end_line: usize,
    /// Whether the file is new.
    pub created: bool,
}

/// The largest text that is added at once.
pub const MAX_TEXT: usize = 1 << 20;

/// Appends the section. Whoever adds at the same time waits, and nothing of either is lost.
///
/// # Errors
/// When the text is empty or too long, the topic is no name, or the file cannot be written.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let text = request.text.trim();
    if text.is_empty() {
        return Err(Error::NothingToAdd);
    }
    if text.len() > MAX_TEXT {
        return Err(Error::TooMuchToAdd);
    }
    let memory = super::open(keeper, &request.whose)?;
    let (file, title) = match &request.topic {
        Some(topic) if is_name(topic) => (memory.layout().topic(topic), topic.clone()),
        Some(topic) => return Err(Error::BadTopic(topic.clone())),
        None => (memory.layout().daily(request.day), request.day.to_string()),
    };
    let time = if request.topic.is_some() { request.day.to_string() } else { request.time.clone() };
    let heading = match &request.heading {
        Some(heading) => heading.split_whitespace().collect::<Vec<_>>().join(" "),
        None => time.clone(),
    };
    let heading = if heading.is_empty() { time } else { heading };
    let _lock = super::lock(keeper, &memory)?;
    let (mut bytes, created) = match memory.read(&file) {
        Ok(bytes) => (bytes, false),
        Err(files::Error::NotFound) => (Vec::new(), true),
        Err(error) => return Err(Error::Refused(file, error.to_string())),
    };
    if created {
        bytes.extend_from_slice(format!("# {title}\n").as_bytes());
    }
    // The file's own line ends, and one blank line before the heading.
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
    if bytes.len() as u64 > files::MAX_BYTES {
        return Err(Error::Refused(file, files::Error::TooLarge.to_string()));
    }
    super::write(&memory, &file, &bytes)?;
    Ok(Response { file, section: heading, line, end_line: line + 1 + body.len(), created })
}

/// Whether a topic can be part of a file's name.
fn is_name(topic: &str) -> bool {
    let plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | '*');
    !topic.is_empty() && topic.len() <= 128 && !topic.starts_with('.') && topic.chars().all(plain)
}
