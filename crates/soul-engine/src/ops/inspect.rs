//! Parse a soul and show all there is to know about it.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::digest::{Digest, RawDigest};
use soul_core::formats::soulspec::Profile;
use soul_core::formats::{Document, Parsed};
use soul_core::model::{Dialect, Soul};
use soul_core::prompt::Status;

use super::load::{self, Content};
use super::{Error, Grant};
use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which soul, and in which dialect if not the one that its text shows.
#[derive(Debug, Clone)]
pub struct Request {
    /// The soul.
    pub target: Target,
    /// The dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
    /// How much is asked of a package.
    pub profile: Profile,
}

/// All there is to know about one soul.
#[derive(Debug, Clone, Serialize)]
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
            parsed: None,
        }
    }
}
