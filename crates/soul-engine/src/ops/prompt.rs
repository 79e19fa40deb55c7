//! The text that reaches the model.

use serde::Serialize;
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;

use super::{Error, inspect};
use crate::Keeper;
use crate::workspace::Target;

/// Which soul, and the prompt it joins.
#[derive(Debug, Clone)]
pub struct Request {
    /// The soul.
    pub target: Target,
    /// The dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
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

/// Makes the identity text, joined with the base prompt if there is one. A soul that is absent or
/// switched off adds nothing.
///
/// # Errors
/// When there is nothing to read, or the soul is invalid: an agent never runs on half a persona.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let inspected = inspect::run(
        keeper,
        inspect::Request { target: request.target, dialect: request.dialect, profile: Profile::Lenient },
    )?;
    if !inspected.valid {
        return Err(Error::Invalid(Box::new(inspected)));
    }
    let path = inspected.source_path.as_str();
    let document = inspected.parsed.as_ref().filter(|_| inspected.active);
    let identity = document.map(|document| document.identity(path)).unwrap_or_default();
    let text = match (document, &request.base) {
        (Some(document), Some(base)) => document.with_base(path, base),
        (None, Some(base)) => base.clone(),
        (_, None) => identity.clone(),
    };
    let identity = Layer::new("identity", path, identity);
    let base = request.base.map(|base| Layer::new("base", "--base", base));
    let mut layers: Vec<Layer> = base.into_iter().chain([identity]).collect();
    if !document.is_some_and(|document| document.dialect().base_comes_first()) {
        layers.reverse();
    }
    Ok(Response { layers, text })
}
