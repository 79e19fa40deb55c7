//! Parse a soul and show all there is to know about it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::digest::{Digest, RawDigest};
use soul_core::formats::soulspec::{Disclosed, LEVELS, Profile};
use soul_core::formats::{Document, Parsed};
use soul_core::model::{Dialect, Soul};
use soul_core::prompt::Status;
use soul_core::text::Source;

use super::load::{self, Content};
use super::{Carried, Error, Grant};
use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which soul, and in which dialect if not the one that its text shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The soul.
    pub target: Target,
    /// The dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
    /// How much is asked of a package.
    pub profile: Profile,
}

/// All there is to know about one soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The dialect it was read in; none if it was not read.
    pub dialect: Option<Dialect>,
    /// Where it is, as users see it.
    pub source_path: String,
    /// Whether there is anything.
    pub present: bool,
    /// Whether it has no errors.
    pub valid: bool,
    /// Whether it reaches the prompt.
    pub active: bool,
    /// The three of them in one word.
    pub validation_status: Status,
    /// The digest of its meaning, if it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes.
    pub raw_digest: Option<RawDigest>,
    /// What could be read, in the dialect's own shape.
    pub document: Value,
    /// The same without the dialect.
    pub soul: Soul,
    /// All problems.
    pub diagnostics: Vec<Diagnostic>,
    /// The directory whose files belong to it, or the file if it stands alone.
    #[serde(skip)]
    pub place: Option<PathBuf>,
    /// The texts that the problems are about, by path, where the document itself is not at hand.
    #[serde(default, skip_serializing_if = "Carried::stays")]
    pub quoted: Carried<BTreeMap<String, String>>,
    /// What a client loads of it, if it is a package that is not at hand.
    #[serde(default, skip_serializing_if = "Carried::stays")]
    pub loads: Carried<Option<Vec<Disclosed>>>,
    /// The document itself, for whoever shows or projects it.
    #[serde(skip)]
    pub parsed: Option<Document>,
}

/// Reads the target and tells all about it, valid or not.
///
/// # Errors
/// When there is nothing to read.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    Ok(respond(keeper, load::run(keeper, request)?))
}

pub(crate) fn respond(keeper: &Keeper, loaded: load::Response) -> Response {
    let load::Response { source_path, content, managed, place } = loaded;
    let mut response = match content {
        Content::Soul(parsed) => of_soul(keeper, *parsed, managed),
        Content::Unreadable(diagnostic) => {
            Response { present: true, valid: false, diagnostics: vec![*diagnostic], ..Response::nothing() }
        }
        Content::Absent => {
            let missing = Diagnostic::new(Code::Missing, "this agent has no SOUL.md and runs without a persona");
            Response { diagnostics: vec![missing], ..Response::nothing() }
        }
    };
    response.validation_status = match (response.present, response.valid, response.active) {
        (false, ..) => Status::Missing,
        (_, false, _) => Status::Invalid,
        (_, _, false) => Status::Inactive,
        _ => Status::Valid,
    };
    let folder = source_path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    for diagnostic in &mut response.diagnostics {
        let beside = diagnostic.file.as_ref().map(|file| format!("{folder}{file}"));
        diagnostic.path = Some(beside.unwrap_or_else(|| source_path.clone()));
    }
    response.source_path = source_path;
    response.place = place;
    response
}

fn of_soul(keeper: &Keeper, parsed: Parsed, managed: bool) -> Response {
    let valid = parsed.is_valid();
    let Parsed { document, mut diagnostics } = parsed;
    let json = document.to_json();
    let governed = managed || document.dialect() == Dialect::Agh;
    let enabled = keeper.settings.soul.enabled || !governed;
    if valid && !enabled {
        let message = "the soul is valid but switched off by `[agents.soul] enabled = false`";
        diagnostics.push(Diagnostic::new(Code::Inactive, message).help("set it to true to use the soul"));
    }
    Response {
        dialect: Some(document.dialect()),
        present: true,
        valid,
        active: valid && enabled,
        digest: valid.then(|| document.digest_of(&json)),
        // What is managed of a package is its SOUL.md.
        raw_digest: match document.source_of(SOUL_FILE).filter(|_| managed) {
            Some(soul) => Some(RawDigest::of(soul.bytes())),
            None => Some(RawDigest::of(document.source().bytes())),
        },
        document: json,
        soul: document.soul(),
        diagnostics,
        parsed: Some(document),
        ..Response::nothing()
    }
}

impl Response {
    /// What there is to know about nothing.
    /// The text that a problem is about, if it is at hand.
    #[must_use]
    pub fn text_of(&self, diagnostic: &Diagnostic) -> Option<&str> {
        let Some(document) = &self.parsed else {
            return self.quoted.get().get(diagnostic.path.as_deref()?).map(String::as_str);
        };
        let source = match &diagnostic.file {
            Some(file) => document.source_of(file),
            None => Some(document.source()),
        };
        source.and_then(Source::text)
    }

    /// What a client loads of a package up to a level; none if it is no package.
    #[must_use]
    pub fn disclosed(&self, level: usize) -> Option<Vec<Disclosed>> {
        match &self.parsed {
            Some(Document::Soulspec(package)) => Some(package.disclosed(level)),
            Some(_) => None,
            None => {
                let all = self.loads.get().as_ref()?;
                Some(all.iter().filter(|loaded| loaded.level <= level).cloned().collect())
            }
        }
    }

    /// Makes what people need besides the answer go along: the texts that problems are about, and what
    /// is loaded of a package.
    pub(super) fn carry(&mut self) {
        self.loads = Carried::along(self.disclosed(LEVELS.len()));
        let of = |problem: &Diagnostic| Some((problem.path.clone()?, self.text_of(problem)?.to_owned()));
        self.quoted = Carried::along(self.diagnostics.iter().filter_map(of).collect());
    }

    fn nothing() -> Self {
        Self {
            dialect: None,
            source_path: String::new(),
            present: false,
            valid: true,
            active: false,
            validation_status: Status::Missing,
            digest: None,
            raw_digest: None,
            document: Value::Null,
            soul: Soul::default(),
            diagnostics: Vec::new(),
            place: None,
            quoted: Carried::default(),
            loads: Carried::default(),
            parsed: None,
        }
    }
}
