//! Propose steps from what happened, and take them if that is wanted.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::persona::{Drift, Proposal, Relationship, Trace, drift};

use super::{Found, Step, adapt, session};
use crate::Keeper;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::Taken;
use crate::workspace::AgentName;

/// It may change what is remembered.
pub const GRANT: Grant = Grant::Write;

/// The most traces that are looked at.
const MAX_TRACES: usize = 1_000_000;

/// Why a step is taken that was proposed.
const REASON: &str = "drift";

/// What happened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// A list of traces with `valence` and `arousal`, or an object whose `traces` are one.
    pub traces: Value,
    /// How a relationship changed: `trustDelta`, `affectionDelta`, `tensionDelta`, `respectDelta`.
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
    let traces = parsed(&traces)?;
    let relationship: Option<Relationship> = relationship
        .filter(|given| !given.is_null())
        .map(serde_json::from_value)
        .transpose()
        .map_err(|error| Error::BadInput("the relationship".into(), error.to_string()))?;
    let found = Found::new(keeper, &agent)?;
    let traits = found.state(keeper)?.adapted(&found.baseline, keeper.settings.persona, keeper.now().seconds());
    let proposals = drift(&traces, relationship.as_ref(), &traits, Drift::default());
    let Some(Apply { session: given, asker }) = apply else { return Ok(Response { proposals, applied: None }) };
    let session = session(given)?;
    let mut applied = Vec::new();
    for Proposal { of, delta, evidence, .. } in &proposals {
        let (reason, evidence) = (REASON.to_owned(), Some(evidence.clone()));
        let step = Step { of: *of, delta: *delta, reason, evidence, session: session.clone() };
        let Taken { adapted, id } = found.step(keeper, step, &asker)?;
        applied.push(adapt::Response { of: of.short().to_owned(), adapted, mutation_id: id });
    }
    Ok(Response { proposals, applied: Some(applied) })
}

/// The traces of a list. One without a feeling counts as one that left none.
fn parsed(given: &Value) -> Result<Vec<Option<Trace>>, Error> {
    let bad = |why: &str| Error::BadInput("the traces".into(), why.to_owned());
    let list = given.get("traces").unwrap_or(given).as_array().ok_or_else(|| bad("they are no list"))?;
    if list.len() > MAX_TRACES {
        return Err(bad("there are more than a million"));
    }
    let number = |trace: &Value, key: &str| trace.get(key).and_then(Value::as_f64);
    let felt = |trace: &Value| {
        if !trace.is_object() && !trace.is_null() {
            return Err(bad("one of them is neither an object nor null"));
        }
        // Without an arousal nothing can be told from it.
        let arousal = number(trace, "arousal").unwrap_or(f64::NAN);
        Ok(number(trace, "valence").map(|valence| Trace { valence, arousal }))
    };
    list.iter().map(felt).collect()
}
