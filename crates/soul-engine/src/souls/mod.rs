//! From a place to a soul: where it is, what was read, what it means, and what belongs to it.
//!
//! Everything that needs a soul begins here. Nothing here changes a file or knows an operation.

pub(crate) mod built_in;
mod bundle;
mod capture;
mod chosen;
mod companions;
mod error;
mod folder;
mod library;
mod load;
mod package;
mod problems;
mod slots;
mod subject;
mod target;

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::Value;
use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::digest::{Digest, RawDigest};
use soul_core::formats::{Document, Parsed};
use soul_core::model::{Dialect, Soul};
use soul_core::prompt::Status;
use soul_core::text::Source;

pub(crate) use bundle::{Bundle, CARD_FILE, EXAMPLES, opened};
pub(crate) use capture::{capture, captured, surroundings};
pub(crate) use chosen::{Chosen, ChosenBy};
pub use error::Error;
pub(crate) use error::MACHINE;
pub(crate) use folder::{
    AGENT_FILE, Folder, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, STYLE_FILE, TOOLS_FILE, USER_FILE,
};
pub(crate) use load::{Loader, Text, is_folder};
pub(crate) use slots::filled_slots;
pub use subject::Subject;
pub use target::Target;

use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::workspace::AgentName;

/// A soul as it was resolved from its place.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The agent whose soul it is, if it is one by name.
    pub agent: Option<AgentName>,
    /// Where it is, as users see it.
    pub source_path: String,
    /// The directory whose files belong to it, or the file if it stands alone.
    pub place: Option<PathBuf>,
    /// Whether it is missing, invalid, disabled or in use.
    pub status: Status,
    /// Why it was read in its dialect.
    pub reason: Option<Cow<'static, str>>,
    /// What was read; `None` where nothing could be.
    pub document: Option<Document>,
    /// The document in its dialect's own shape.
    pub json: Value,
    /// What it says, whatever the dialect.
    pub soul: Soul,
    /// The digest of what it says, if it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes.
    pub raw_digest: Option<RawDigest>,
    /// Everything wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the machine could not read it just now, which says nothing of the soul.
    pub is_unavailable: bool,
}

/// What there is at a place.
#[derive(Debug)]
enum Content {
    /// A soul, valid or not.
    Soul(Box<Read>),
    /// Something that could not be read; the diagnostic says why.
    Unreadable(Box<Diagnostic>),
    /// Something that the machine could not read just now.
    Unavailable(Box<Diagnostic>),
    /// A named agent without a soul.
    Absent,
}

/// A text that was read, and why in its dialect.
#[derive(Debug)]
struct Read {
    parsed: Parsed,
    reason: Cow<'static, str>,
}

/// What was found at a place, before it is known what it means.
#[derive(Debug)]
struct Loaded {
    source_path: String,
    content: Content,
    /// Whether `[agents.soul]` decides over its use: it is a named agent's.
    managed: bool,
    place: Option<PathBuf>,
}

impl Loaded {
    fn resolve(self, keeper: &Keeper) -> Resolved {
        let Self { source_path, content, managed, place } = self;
        let mut resolved = match content {
            Content::Soul(read) => Resolved::from_read(keeper, *read, managed),
            Content::Unreadable(diagnostic) => Resolved::unread(Status::Invalid, *diagnostic),
            Content::Unavailable(diagnostic) => {
                Resolved { is_unavailable: true, ..Resolved::unread(Status::Invalid, *diagnostic) }
            }
            Content::Absent => {
                let missing = Diagnostic::new(Code::Missing, "the agent has no SOUL.md and runs without a persona");
                Resolved::unread(Status::Missing, missing)
            }
        };
        let folder = source_path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
        for diagnostic in &mut resolved.diagnostics {
            let beside = diagnostic.file.as_ref().map(|file| format!("{folder}{file}"));
            diagnostic.path = Some(beside.unwrap_or_else(|| source_path.clone()));
        }
        Resolved { source_path, place, ..resolved }
    }
}

impl Resolved {
    fn from_read(keeper: &Keeper, read: Read, managed: bool) -> Self {
        let Read { parsed, reason } = read;
        let valid = parsed.is_valid();
        let Parsed { document, mut diagnostics } = parsed;
        let json = document.to_json();
        let governed = managed || document.dialect() == Dialect::Agh;
        let enabled = keeper.settings.soul.enabled || !governed;
        if valid && !enabled {
            let message = "the soul is valid but disabled by `[agents.soul] enabled = false`";
            diagnostics.push(Diagnostic::new(Code::Inactive, message).help("set it to true to use the soul"));
        }
        Self {
            agent: None,
            source_path: String::new(),
            place: None,
            reason: Some(reason),
            status: match (valid, enabled) {
                (false, _) => Status::Invalid,
                (true, false) => Status::Inactive,
                (true, true) => Status::Valid,
            },
            digest: valid.then(|| document.digest_of(&json)),
            // What is managed of a package is its SOUL.md.
            raw_digest: match document.source_of(SOUL_FILE).filter(|_| managed) {
                Some(soul) => Some(RawDigest::of(soul.bytes())),
                None => Some(RawDigest::of(document.source().bytes())),
            },
            json,
            soul: document.soul(),
            diagnostics,
            is_unavailable: false,
            document: Some(document),
        }
    }

    /// A place where no soul could be read.
    fn unread(status: Status, diagnostic: Diagnostic) -> Self {
        Self {
            agent: None,
            source_path: String::new(),
            place: None,
            reason: None,
            status,
            document: None,
            json: Value::Null,
            soul: Soul::default(),
            digest: None,
            raw_digest: None,
            diagnostics: vec![diagnostic],
            is_unavailable: false,
        }
    }

    /// Whether there is anything at its place.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.status != Status::Missing
    }

    /// Whether it has no errors; a soul that is missing has none.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.status != Status::Invalid
    }

    /// Whether it reaches the prompt.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == Status::Valid
    }

    /// The dialect it was read in.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        self.document.as_ref().map(Document::dialect)
    }

    /// What to do about an invalid soul: fix it, or read it as what it is.
    pub(crate) fn how_to_fix(&self) -> String {
        let read_as = self.dialect().zip(self.reason.as_deref());
        let read_as = read_as.map(|(dialect, reason)| format!("; it was read as {dialect} because {reason}"));
        let choose =
            read_as.map(|read_as| format!("{read_as}, and `--dialect` (`dialect` in a request) chooses another"));
        format!("fix the reported problems{}", choose.unwrap_or_default())
    }

    /// The same soul, or the error that says all that is wrong with it.
    pub(crate) fn valid(self) -> Result<Self, Error> {
        if self.is_valid() { Ok(self) } else { Err(Error::Invalid(Box::new(self))) }
    }

    /// The text that a diagnostic is about.
    pub(crate) fn text_of(&self, diagnostic: &Diagnostic) -> Option<&str> {
        self.source_of(diagnostic).and_then(Source::text)
    }

    /// The file that a diagnostic is about.
    pub(crate) fn source_of(&self, diagnostic: &Diagnostic) -> Option<&Source> {
        let document = self.document.as_ref()?;
        match &diagnostic.file {
            Some(file) => document.source_of(file),
            None => Some(document.source()),
        }
    }

    /// The name of the file that the soul itself was read from.
    pub(crate) fn own_file(&self) -> &str {
        self.source_path.rsplit_once('/').map_or(&*self.source_path, |(_, own)| own)
    }
}
