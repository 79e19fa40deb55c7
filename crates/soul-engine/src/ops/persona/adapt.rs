//! Adapt a trait of an agent: a bounded step, with a reason, on record.

use std::ops::Not;

use serde::{Deserialize, Serialize};
use soul_core::persona::{Adapted, Refused, Trait, check};

use super::{Found, MAX_TEXT, Step, session};
use crate::Keeper;
use crate::ids::MutationId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::workspace::AgentName;

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The trait, in any of its spellings.
    #[serde(rename = "trait")]
    pub of: String,
    /// How far.
    pub delta: f64,
    /// Why.
    pub reason: String,
    /// Whose budget it is taken from; without it, that of all who name none.
    pub session: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The trait, as it was asked for.
    #[serde(rename = "trait")]
    pub of: String,
    /// What became of it.
    #[serde(flatten)]
    pub adapted: Adapted,
    /// The record of it; none if it moved nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation_id: Option<MutationId>,
    /// Whether an overlay sets the trait, so that the step shows when it has ended.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub overlaid: bool,
    /// Whether souls are switched off, so that the step reaches no prompt.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

/// Takes as much of the step as the session's budget, the range and the total bound allow.
///
/// # Errors
/// When it makes no sense, there is no such agent, or its soul is absent or invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, of: name, delta, reason, session: given, asker } = request;
    let of = check(&name, &reason, delta).map_err(|refused| match refused {
        Refused::Trait => Error::UnknownTrait(name.clone(), Trait::nearest(&name)),
        Refused::Reason => Error::BadReason,
        Refused::Delta => Error::NotFinite(delta),
    })?;
    if reason.len() > MAX_TEXT {
        return Err(Error::BadReason);
    }
    let step = Step { of, delta, reason: reason.trim().to_owned(), evidence: None, session: session(given)? };
    Found::new(keeper, &agent)?.step(keeper, step, &name, &asker)
}
