//! An agent's memory: found, read, added to and taken from. Nothing outside its directory is read, and no
//! link is followed.

mod append;
mod error;
pub mod excerpt;
pub(crate) mod history;
mod replace;
pub(crate) mod rerank;

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use soul_core::search::{Section, sections};

pub(crate) use append::{Appended, append};
pub use error::{Error, MAX_RESULTS, MAX_TEXT};
pub(crate) use replace::replace;

use crate::Keeper;
use crate::caller::Author;
use crate::files;
use crate::store::{EventKind, NewEvent};
use crate::workspace::{Agent, AgentName, Memory};

/// Which memory a request is about. A directory means one of the machine on which the request is made, so it
/// never travels.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub enum MemoryOf {
    /// The one in this directory.
    Directory(PathBuf),
    /// An agent's.
    Agent(AgentName),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Fields {
    /// The agent whose memory it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    agent: Option<AgentName>,
}

impl TryFrom<Fields> for MemoryOf {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, &'static str> {
        fields.agent.map(Self::Agent).ok_or("`agent` is required")
    }
}

impl From<MemoryOf> for Fields {
    fn from(memory: MemoryOf) -> Self {
        match memory {
            MemoryOf::Agent(name) => Self { agent: Some(name) },
            // Nothing is left of it, so nobody can take it for something else.
            MemoryOf::Directory(_) => Self { agent: None },
        }
    }
}

impl JsonSchema for MemoryOf {
    fn schema_name() -> Cow<'static, str> {
        "MemoryOf".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Fields::json_schema(generator)
    }
}

impl MemoryOf {
    /// Whether only this machine has it.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        matches!(self, Self::Directory(_))
    }

    /// What it is called in messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Directory(_) => "this directory".to_owned(),
            Self::Agent(name) => name.to_string(),
        }
    }

    pub(crate) fn open(&self, keeper: &Keeper) -> Result<Memory, Error> {
        let path = match self {
            Self::Directory(path) => path.clone(),
            Self::Agent(_) if keeper.keeps_souls_in_database() => return Err(Error::InDatabase),
            Self::Agent(name) => keeper.agent(name)?.path,
        };
        Memory::open(&path).map_err(|error| match error {
            files::Error::NotFound => Error::NoMemory(keeper.roots.shown(&path)),
            error => Error::Unlistable(keeper.roots.shown(&path), error.into()),
        })
    }
}

/// Which memories a search is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "SearchFields", into = "SearchFields")]
pub enum Memories {
    /// One.
    Of(MemoryOf),
    /// Those of all agents.
    AllAgents,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SearchFields {
    /// The agent whose memory it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentName>,
    /// Search the memories of all agents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    all_agents: bool,
}

impl TryFrom<SearchFields> for Memories {
    type Error = &'static str;

    fn try_from(fields: SearchFields) -> Result<Self, &'static str> {
        match fields {
            SearchFields { agent: Some(name), all_agents: false } => Ok(Self::Of(MemoryOf::Agent(name))),
            SearchFields { agent: None, all_agents: true } => Ok(Self::AllAgents),
            _ => Err("give either `agent` or `all_agents`"),
        }
    }
}

impl From<Memories> for SearchFields {
    fn from(memories: Memories) -> Self {
        let all_agents = matches!(memories, Memories::AllAgents);
        let agent = match memories {
            Memories::Of(memory) => Fields::from(memory).agent,
            Memories::AllAgents => None,
        };
        Self { agent, all_agents }
    }
}

impl JsonSchema for Memories {
    fn schema_name() -> Cow<'static, str> {
        "Memories".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SearchFields::json_schema(generator)
    }
}

impl Memories {
    /// Whether only this machine has it.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        matches!(self, Self::Of(memory) if memory.is_path())
    }
}

/// The name of a section as it is shown; what stands before the first heading has none.
pub(crate) fn section_name(heading: &str) -> &str {
    if heading.is_empty() { "(top)" } else { heading }
}

/// A file of the memory and its bytes.
pub(crate) fn read(keeper: &Keeper, memory: &Memory, typed: &str) -> Result<(String, Vec<u8>), Error> {
    let shown = || keeper.roots.shown(Path::new(typed));
    let refused = |error: files::Error| match error {
        files::Error::NotFound => Error::FileNotFound(shown()),
        files::Error::Escapes => Error::Refused(shown(), "it is outside the memory".into()),
        error => Error::Refused(shown(), error.into()),
    };
    let file = memory.find(typed).map_err(refused)?;
    let bytes = memory.read(&file).map_err(refused)?;
    Ok((file, bytes))
}

/// Which section of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SectionAt<'a> {
    /// The one that this line belongs to.
    Line(usize),
    /// The first one with this heading.
    Heading(&'a str),
}

impl<'a> SectionAt<'a> {
    /// The section that a request names, if it names one; a blank heading is none.
    pub(crate) fn new(line: Option<usize>, heading: Option<&'a str>) -> Result<Option<Self>, Error> {
        match (line, heading.filter(|heading| !heading.trim().is_empty())) {
            (Some(_), Some(_)) => Err(Error::LineAndSection),
            (line, heading) => Ok(line.map(Self::Line).or(heading.map(Self::Heading))),
        }
    }
}

/// Finds a section in a text.
pub(crate) fn find(text: &str, file: &str, at: &SectionAt<'_>) -> Result<Section, Error> {
    let all = sections(text).sections;
    let found = match at {
        SectionAt::Line(line) => {
            let start = line_start(text, *line);
            start.and_then(|start| all.iter().find(|section| section.span.contains(&start)))
        }
        SectionAt::Heading(name) => {
            let same = |section: &&Section| section_name(&section.heading).to_lowercase() == name.to_lowercase();
            all.iter().find(|section| section_name(&section.heading) == *name).or_else(|| all.iter().find(same))
        }
    };
    found.cloned().ok_or_else(|| {
        let what = match at {
            SectionAt::Line(line) => format!("line {line}"),
            SectionAt::Heading(name) => format!("section {}", soul_core::text::shown(name)),
        };
        Error::NoSection(what, file.to_owned())
    })
}

/// Where a line begins, counted as sections count them.
fn line_start(text: &str, line: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    let top = if text.starts_with('\u{feff}') { 3 } else { 0 };
    std::iter::once(top).chain(ends.map(|(at, _)| at + 1)).nth(line.checked_sub(1)?)
}

/// The agent whose memory it is, if it is one's.
pub(crate) fn owner(keeper: &Keeper, memory: &Memory) -> Option<Agent> {
    let agent = keeper.roots.agent_at(&keeper.settings.discovery, memory.root());
    agent.filter(|agent| files::is_same(&agent.path, memory.root()))
}

/// Tells others that an agent's memory has changed, and by whom. One that is lost changes nothing.
pub(crate) fn report(keeper: &Keeper, memory: &Memory, kind: EventKind, author: &Author) {
    let key = owner(keeper, memory).and_then(|agent| agent.key().ok());
    if let (Some(key), Ok(store)) = (key, keeper.store()) {
        let event = NewEvent::for_soul(kind, &key, &author.actor, &author.origin);
        let _ = store.append_event(&event, keeper.now());
    }
}

/// Waits until nobody else writes to the memory. The directory itself is locked, so that nothing of
/// ours stays in it.
pub(crate) fn lock(keeper: &Keeper, memory: &Memory) -> Result<File, Error> {
    let shown = || keeper.roots.shown(memory.root());
    let failed = |error: std::io::Error| Error::io(shown(), error);
    let directory = File::open(memory.root()).map_err(failed)?;
    match files::lock(&directory, Some(Instant::now() + files::PATIENCE)).map_err(failed)? {
        true => Ok(directory),
        false => Err(Error::Locked(shown())),
    }
}
