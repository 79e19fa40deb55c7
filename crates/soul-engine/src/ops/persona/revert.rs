//! Revert a persona: to a step, or to what the author wrote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::Traits;

use super::Mood;
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::MutationId;
use crate::ops::{Error, Hints, Operation};
use crate::persona::{AgentPersona, Error as PersonaError};
use crate::references;
use crate::store::Revert;
use crate::workspace::AgentName;

/// Revert an agent's traits to a recorded step, or all of its persona to what the author wrote.
///
/// What a session has spent of its budget stays spent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// Id of the last step to keep. Without it all steps, the mood and the overlays are reverted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<MutationId>,
}

/// The persona after the steps were reverted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaReversion")]
pub struct Response {
    /// Ids of the reverted steps, newest first.
    pub reverted: Vec<MutationId>,
    /// The trait scores that the author wrote.
    pub baseline: Traits,
    /// The trait scores that apply now.
    pub effective: Traits,
    /// The mood.
    pub mood: Mood,
}

impl Operation for Request {
    const NAME: &'static str = "persona.revert";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, to } = self;
        let (keeper, author) = (context.keeper, context.author(Self::NAME));
        let persona = AgentPersona::load(keeper, &agent)?;
        let key = persona.key(keeper)?;
        let to = match to {
            Some(typed) => {
                let found = references::mutation(keeper.store()?, &key, &typed)??;
                Some(found.ok_or(PersonaError::MutationNotFound(typed))?)
            }
            None => None,
        };
        let revert = Revert { key, to: to.clone(), now: keeper.now(), actor: author.actor, origin: author.origin };
        let reverted = match (keeper.store()?.revert_persona(&revert)?, to) {
            (None, Some(to)) => return Err(PersonaError::MutationNotFound(to).into()),
            (reverted, _) => reverted.unwrap_or_default(),
        };
        let effective = persona.effective(keeper, &persona.state(keeper)?);
        let mood = Mood::new(keeper, &persona, &effective);
        Ok(Response { reverted, baseline: persona.baseline, effective: effective.traits, mood })
    }
}
