//! Show a section, or a whole file, of a memory.

use serde::{Deserialize, Serialize};

use super::{Which, Whose};
use crate::Keeper;
use crate::ops::{Error, Grant};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which part of which memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose memory.
    pub whose: Whose,
    /// The file, as search names it.
    pub file: String,
    /// The section; none for the whole file.
    pub which: Option<Which>,
}

/// The text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The file.
    pub file: String,
    /// The heading's text, if it is a section.
    pub section: Option<String>,
    /// The headings from the outermost to its own.
    pub heading_path: Vec<String>,
    /// The first line.
    pub line: usize,
    /// The last line.
    pub end_line: usize,
    /// All of it, as it is in the file.
    pub text: String,
}

/// Reads the section.
///
/// # Errors
/// When there is no such file or section, or the file lies outside of the memory.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let memory = super::open(keeper, &request.whose)?;
    let (file, bytes) = super::read(keeper, &memory, &request.file)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(which) = &request.which else {
        let end_line = text.lines().count();
        return Ok(Response { file, section: None, heading_path: Vec::new(), line: 1, end_line, text });
    };
    let section = super::find(&text, &file, which)?;
    let mut heading_path = section.path;
    if !section.heading.is_empty() {
        heading_path.push(section.heading.clone());
    }
    Ok(Response {
        file,
        section: Some(super::named(&section.heading).to_owned()),
        heading_path,
        line: section.line,
        end_line: section.end_line,
        text: text[section.span].trim_end().to_owned() + "\n",
    })
}
