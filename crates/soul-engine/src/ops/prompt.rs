//! The text that reaches the model.

use serde::Serialize;
use soul_core::formats::soulspec::Profile;
use soul_core::formats::{Document, Provenance};
use soul_core::model::Dialect;

use super::{Error, Grant, Subject, inspect};
use crate::Keeper;
use crate::ids::SessionId;
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose prompt, and the prompt it joins.
#[derive(Debug, Clone)]
pub struct Request {
    /// Whose.
    pub subject: Subject,
    /// The prompt that the identity is added to.
    pub base: Option<String>,
}

/// The prompt, and what it is made of.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// The parts, in the order in which they stand.
    pub layers: Vec<Layer>,
    /// The exact text.
    pub text: String,
}

/// One part of a prompt.
#[derive(Debug, Clone, Serialize)]
pub struct Layer {
    /// What it is.
    pub name: &'static str,
    /// Where it comes from.
    pub source: String,
    /// How long it is.
    pub bytes: usize,
    /// How many tokens that may be, at four bytes each.
    pub est_tokens: usize,
    /// The text.
    pub text: String,
    /// Whether some of it was cut.
    pub truncated: bool,
    /// Whether all of it was left out.
    pub omitted: bool,
}

impl Layer {
    fn new(name: &'static str, source: impl Into<String>, text: String) -> Self {
        let omitted = text.is_empty();
        Self {
            name,
            source: source.into(),
            bytes: text.len(),
            est_tokens: text.len().div_ceil(4),
            text,
            truncated: false,
            omitted,
        }
    }
}

/// An identity text, and where it comes from.
struct Identity {
    text: String,
    source_path: String,
    /// None if there is no soul, or it is switched off.
    dialect: Option<Dialect>,
}

/// Makes the identity text, joined with the base prompt if there is one. A soul that is absent or
/// switched off adds nothing. For a session no file is read.
///
/// # Errors
/// When there is nothing to read, or the soul is invalid: an agent never runs on half a persona.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Identity { text: identity, source_path, dialect } = match request.subject {
        Subject::Target(target, dialect) => of_target(keeper, target, dialect)?,
        Subject::Session(id) => of_session(keeper, &id)?,
    };
    let text = match (dialect, &request.base) {
        (Some(dialect), Some(base)) => dialect.join(&identity, base),
        (None, Some(base)) => base.clone(),
        (_, None) => identity.clone(),
    };
    let identity = Layer::new("identity", source_path, identity);
    let base = request.base.map(|base| Layer::new("base", "--base", base));
    let mut layers: Vec<Layer> = base.into_iter().chain([identity]).collect();
    if !dialect.is_some_and(Dialect::base_comes_first) {
        layers.reverse();
    }
    Ok(Response { layers, text })
}

fn of_target(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Identity, Error> {
    let inspected = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
    if !inspected.valid {
        return Err(Error::Invalid(Box::new(inspected)));
    }
    let source_path = inspected.source_path;
    let document = inspected.parsed.as_ref().filter(|_| inspected.active);
    let from = Provenance { source_path: &source_path, snapshot_id: None };
    let text = document.map(|document| document.identity(from)).unwrap_or_default();
    Ok(Identity { text, dialect: document.map(Document::dialect), source_path })
}

fn of_session(keeper: &Keeper, id: &SessionId) -> Result<Identity, Error> {
    let session = super::session::find(keeper, id)?;
    let snapshot = super::session::snapshot(keeper, &session)?;
    let nothing = || Identity { text: String::new(), source_path: session.id.to_string(), dialect: None };
    Ok(snapshot.map_or_else(nothing, |snapshot| Identity {
        text: snapshot.identity(),
        dialect: Some(snapshot.profile.dialect),
        source_path: snapshot.profile.source_path,
    }))
}
