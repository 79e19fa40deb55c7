//! List the recorded steps of a persona, and what is left of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::{self, RemainingEffect};
use soul_core::search::Day;

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Cursor, Limit, given};
use crate::ops::{Error, Hints, Operation};
use crate::store::Mutation;
use crate::workspace::AgentName;

/// List the recorded steps of an agent's traits, newest first. A deleted agent still has its steps.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// Maximum number of steps.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// A page of steps, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaHistoryPage")]
pub struct Response {
    /// The steps.
    pub mutations: Vec<Entry>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<Cursor>,
}

/// A recorded step, and what is left of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaStep")]
pub struct Entry {
    /// The step as it was recorded.
    #[serde(flatten)]
    pub mutation: Mutation,
    /// Whether the step still counts.
    pub status: Status,
    /// How much of the step is left, from 1 down to 0: `delta` times `strength` is `effect`.
    pub strength: f64,
    /// How far the step moves the score now.
    pub effect: f64,
}

/// Whether a step still counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "PersonaStepStatus")]
pub enum Status {
    /// It counts.
    Standing,
    /// It is so old that it has no effect any more.
    Faded,
    /// It was reverted.
    Reverted,
}

impl Operation for Request {
    const NAME: &'static str = "persona.history";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, limit, cursor } = self;
        let keeper = context.keeper;
        let before = cursor.map(|cursor| cursor.seq()).transpose()?;
        let Some((key, store)) = keeper.known_key(&agent)?.zip(keeper.existing_store()?) else {
            return Ok(Response { mutations: Vec::new(), next_cursor: None });
        };
        let mut found = store.mutations(&key, before, limit.and_one())?;
        let next = limit.cut(&mut found);
        let next_cursor = next.and(found.last()).map(|last| Cursor::new(last.seq));
        let counting = store.persona(&key)?.mutations;
        let today = Day::of_seconds(keeper.now().seconds());
        let standing = persona::remaining_effects(&counting, keeper.settings.persona.tempo.decay_rate, today);
        let entry = |mutation: Mutation| {
            let left =
                counting.iter().zip(&standing).find(|(step, _)| step.seq == mutation.seq).and_then(|(_, left)| *left);
            let status = match (&mutation.reverted_at, left) {
                (Some(_), _) => Status::Reverted,
                (None, Some(_)) => Status::Standing,
                (None, None) => Status::Faded,
            };
            let RemainingEffect { strength, effect } = left.unwrap_or(RemainingEffect { strength: 0.0, effect: 0.0 });
            Entry { mutation, status, strength, effect }
        };
        Ok(Response { mutations: found.into_iter().map(entry).collect(), next_cursor })
    }
}
