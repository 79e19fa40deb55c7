//! Show a section, or a whole file, of a memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::memory::{self, MemoryOf, SectionAt, section_name};
use crate::ops::{Error, Hints, Operation};

/// Show a section of a memory, or a whole file. Give `line` or `section` for a section.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: MemoryOf,
    /// The file, as search names it.
    pub file: String,
    /// A line of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// Heading of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Show this many lines, from `line` or the first one on, instead of a section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub lines: Option<usize>,
}

/// A section, or a whole file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemorySection")]
pub struct Response {
    /// The file, relative to the memory's directory.
    pub file: String,
    /// Heading of the section; null for a whole file.
    pub section: Option<String>,
    /// The headings from the outermost to the section's own.
    pub heading_path: Vec<String>,
    /// First line.
    pub line: usize,
    /// Last line.
    pub end_line: usize,
    /// The text, as it is in the file.
    pub text: String,
}

impl Operation for Request {
    const NAME: &'static str = "memory.detail";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        if self.lines == Some(0) || (self.lines.is_some() && self.section.is_some()) {
            return Err(Error::BadRequest("`lines` is at least 1, and goes with `line` alone".to_owned()));
        }
        let at = SectionAt::new(self.line, self.section.as_deref())?;
        let memory = self.memory.open(keeper)?;
        let (file, bytes) = memory::read(keeper, &memory, &self.file)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(count) = self.lines {
            let (line, total) = (self.line.unwrap_or(1), text.lines().count());
            if line > total.max(1) {
                return Err(Error::BadRequest(format!("`line` is {line}, and the file has {total} lines")));
            }
            let text: String = text.split_inclusive('\n').skip(line - 1).take(count).collect();
            let end_line = line + text.lines().count().max(1) - 1;
            return Ok(Response { file, section: None, heading_path: Vec::new(), line, end_line, text });
        }
        let Some(at) = at else {
            let end_line = text.lines().count();
            return Ok(Response { file, section: None, heading_path: Vec::new(), line: 1, end_line, text });
        };
        let section = memory::find(&text, &file, &at)?;
        let mut heading_path = section.path;
        if !section.heading.is_empty() {
            heading_path.push(section.heading.clone());
        }
        Ok(Response {
            file,
            section: Some(section_name(&section.heading).to_owned()),
            heading_path,
            line: section.line,
            end_line: section.end_line,
            text: text[section.span].trim_end().to_owned() + "\n",
        })
    }
}
