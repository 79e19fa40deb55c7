//! Propose trait changes from what happened, and apply them if asked to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::persona::{Proposal, drift};

use super::adapt;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ops::{Error, Hints, Operation};
use crate::persona::input::{self, Events};
use crate::persona::{AgentPersona, Step, session};
use crate::workspace::AgentName;

/// The reason that goes on record for a proposal that is applied.
const REASON: &str = "drift";

/// Propose changes to an agent's traits from what happened, and apply them if asked to.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// What happened: a list of `{valence, arousal}`, or an object `{traces, relationship, config}`.
    pub traces: Value,
    /// How a relationship changed: `{trustDelta, affectionDelta, tensionDelta, respectDelta}`, from -100 to 100.
    ///
    /// It counts over one inside `traces`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "null"]))]
    pub relationship: Option<Value>,
    /// How to look for drift: `{enabled, minTracesForAnalysis, maxDeltaPerCycle}`; defaults to the settings.
    ///
    /// It counts over one inside `traces`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "null"]))]
    pub config: Option<Value>,
    /// Apply the proposals, and record their evidence.
    #[serde(default)]
    pub apply: bool,
    /// The session whose budget the steps are taken from; steps without a session share one budget.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session: Option<NonBlank>,
}

/// The proposed changes, and which of them were applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaDrift")]
pub struct Response {
    /// At most two proposals, the larger first.
    pub proposals: Vec<Proposal>,
    /// What each proposal did; absent if they were not applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<Vec<adapt::Response>>,
}

impl Operation for Request {
    const NAME: &'static str = "persona.drift";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.apply { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, traces, relationship, config, apply, session: given } = self;
        let (keeper, settings) = (context.keeper, &context.keeper.settings.persona);
        let Events { traces, relationship: along, config } = input::events(&traces, config.as_ref(), settings.drift)?;
        let relationship = relationship.as_ref().map(input::relationship).transpose()?.flatten().or(along);
        let persona = AgentPersona::load(keeper, &agent)?;
        let traits = persona.state(keeper)?.adapted(&persona.baseline, settings.tempo, keeper.now().seconds());
        let proposals = drift(&traces, relationship.as_ref(), &traits, config);
        if !apply {
            return Ok(Response { proposals, applied: None });
        }
        let session = session(given)?;
        let mut applied = Vec::new();
        for Proposal { trait_: of, delta, evidence, .. } in &proposals {
            let (reason, evidence) = (REASON.to_owned(), Some(evidence.clone()));
            let step = Step { of: *of, delta: *delta, reason, evidence, session: session.clone() };
            let stepped = persona.step(keeper, step, context.author(Self::NAME))?;
            applied.push(adapt::Response::new(keeper, of.short(), stepped));
        }
        Ok(Response { proposals, applied: Some(applied) })
    }
}
