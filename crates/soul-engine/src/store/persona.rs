use serde::{Deserialize, Serialize};
use soul_core::persona::{Adapted, Tempo, Trait, Traits};

use super::Party;
use crate::clock::Time;
use crate::ids::MutationId;
use crate::workspace::SoulKey;

/// A step that a persona is to take.
#[derive(Debug, Clone)]
pub struct NewMutation {
    /// Whose persona.
    pub key: SoulKey,
    /// The trait.
    pub of: Trait,
    /// How far.
    pub delta: f64,
    /// Whose budget it is taken from.
    pub session: String,
    /// Why.
    pub reason: String,
    /// What speaks for it, if it was not somebody's decision.
    pub evidence: Option<String>,
    /// What the author wrote.
    pub baseline: Traits,
    /// How far, and how fast.
    pub tempo: Tempo,
    /// When.
    pub now: Time,
    /// Who asks.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

/// What became of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What it did.
    pub adapted: Adapted,
    /// The record of it; none if it moved nothing.
    pub id: Option<MutationId>,
}

/// A step that is on record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// What names it.
    pub id: MutationId,
    /// Its place among the steps of the agent, from 1.
    pub seq: i64,
    /// The trait.
    #[serde(rename = "trait")]
    pub of: Trait,
    /// The score before.
    pub previous: f64,
    /// The score after.
    pub new: f64,
    /// What lies between.
    pub delta: f64,
    /// The session whose budget it was taken from.
    pub session: String,
    /// Why.
    pub reason: String,
    /// What spoke for it, if it was not somebody's decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Who asked.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// When.
    pub created_at: Time,
    /// When it was taken back.
    pub reverted_at: Option<Time>,
}

/// Steps that are to be taken back.
#[derive(Debug, Clone)]
pub struct Revert {
    /// Whose persona.
    pub key: SoulKey,
    /// The last step that stays; without one, nothing stays.
    pub to: Option<MutationId>,
    /// When.
    pub now: Time,
    /// Who asks.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}
