//! Move a trait of an agent by a bounded step, with a reason, on record.

use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::{Adapted, Refused, Trait, check};

use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ids::MutationId;
use crate::ops::{Error, Hints, Operation};
use crate::persona::{AgentPersona, Error as PersonaError, MAX_TEXT, Step, Stepped, is_inactive, session};
use crate::workspace::AgentName;

/// Move a trait of an agent by a bounded step, with a recorded reason.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// The trait, such as `openness`.
    #[serde(rename = "trait")]
    pub of: String,
    /// How far to move the score, such as 0.05 or -0.05.
    pub delta: f64,
    /// Why to move it (recorded).
    pub reason: String,
    /// The session whose budget the step is taken from; steps without a session share one budget.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session: Option<NonBlank>,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaAdaptation")]
pub struct Response {
    /// The trait, as it was requested.
    #[serde(rename = "trait")]
    pub of: String,
    /// How the score moved.
    #[serde(flatten)]
    pub adapted: Adapted,
    /// Id of the recorded step; absent if the score did not move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation_id: Option<MutationId>,
    /// Whether an overlay sets the trait, so that the step takes effect when the overlay ends.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub overlaid: bool,
    /// Whether souls are disabled, so that the step does not affect prompts.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

impl Response {
    /// The result of a step, under the name that the trait was requested by.
    pub(super) fn new(keeper: &Keeper, name: &str, stepped: Stepped) -> Self {
        let Stepped { adapted, id: mutation_id, overlaid } = stepped;
        Self { of: name.to_owned(), adapted, mutation_id, overlaid, inactive: is_inactive(keeper) }
    }
}

impl Operation for Request {
    const NAME: &'static str = "persona.adapt";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, of: name, delta, reason, session: given } = self;
        let of = check(&name, &reason, delta).map_err(|refused| match refused {
            Refused::Trait => PersonaError::UnknownTrait(name.clone(), Trait::nearest(&name)),
            Refused::Reason => PersonaError::BadReason,
            Refused::Delta => PersonaError::NotFinite(delta),
        })?;
        if reason.len() > MAX_TEXT {
            return Err(PersonaError::BadReason.into());
        }
        let step = Step { of, delta, reason: reason.trim().to_owned(), evidence: None, session: session(given)? };
        let persona = AgentPersona::load(context.keeper, &agent)?;
        let stepped = persona.step(context.keeper, step, context.author(Self::NAME))?;
        Ok(Response::new(context.keeper, &name, stepped))
    }
}
