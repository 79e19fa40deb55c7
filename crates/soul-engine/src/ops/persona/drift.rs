//! Propose steps from what happened, and take them if that is wanted.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::persona::{Proposal, drift};

use super::given::{self, Happened};
use super::{Found, Step, adapt, session};
use crate::Keeper;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::workspace::AgentName;

/// It may change what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Why a step is taken that was proposed.
const REASON: &str = "drift";

/// What happened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// A list of traces with `valence` and `arousal`, or an object whose `traces` are one, with
    /// `relationship` and `config` if it likes.
    pub traces: Value,
    /// How a relationship changed: `trustDelta`, `affectionDelta`, `tensionDelta`, `respectDelta`. It
    /// counts before one that comes with the traces.
    pub relationship: Option<Value>,
    /// Whether the proposals are taken too, and by whom.
    pub apply: Option<Apply>,
}

/// Who takes proposals.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Apply {
    /// Whose budget they are taken from.
    pub session: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// What that speaks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// At most two steps, the larger first.
    pub proposals: Vec<Proposal>,
    /// What became of them, if they were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<Vec<adapt::Response>>,
}

/// Looks for drift from where the agent is now.
///
/// # Errors
/// When what was given is no traces or no relationship, there is no such agent, or its soul is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, traces, relationship, apply } = request;
    let Happened { traces, relationship: along, config } = given::happened(&traces, keeper.settings.persona.drift)?;
    let relationship = relationship.as_ref().map(given::relationship).transpose()?.flatten().or(along);
    let found = Found::new(keeper, &agent)?;
    let traits = found.state(keeper)?.adapted(&found.baseline, keeper.settings.persona.tempo, keeper.now().seconds());
    let proposals = drift(&traces, relationship.as_ref(), &traits, config);
    let Some(Apply { session: given, asker }) = apply else { return Ok(Response { proposals, applied: None }) };
    let session = session(given)?;
    let mut applied = Vec::new();
    for Proposal { trait_: of, delta, evidence, .. } in &proposals {
        let (reason, evidence) = (REASON.to_owned(), Some(evidence.clone()));
        let step = Step { of: *of, delta: *delta, reason, evidence, session: session.clone() };
        applied.push(found.step(keeper, step, of.short(), &asker)?);
    }
    Ok(Response { proposals, applied: Some(applied) })
}
