use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::{Adapted, Tempo, Trait, Traits};

use super::Party;
use crate::clock::Time;
use crate::ids::MutationId;
use crate::workspace::SoulKey;

/// A step that adapts a trait, to be recorded.
#[derive(Debug, Clone)]
pub struct NewMutation {
    /// The agent's soul.
    pub key: SoulKey,
    /// The trait.
    pub of: Trait,
    /// How far it is to move.
    pub delta: f64,
    /// The session whose budget pays for it.
    pub session: String,
    /// Why.
    pub reason: String,
    /// What it was derived from, unless it was chosen.
    pub evidence: Option<String>,
    /// The scores that the author wrote.
    pub baseline: Traits,
    /// The bounds, and how fast steps decay.
    pub tempo: Tempo,
    /// The time.
    pub now: Time,
    /// Who does it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq)]
pub struct Adaptation {
    /// The scores before and after.
    pub adapted: Adapted,
    /// The recorded step; none if it moved nothing.
    pub id: Option<MutationId>,
}

/// A recorded step that adapted a trait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaMutation")]
pub struct Mutation {
    /// The step's id.
    pub id: MutationId,
    /// Its number among the agent's steps, from 1.
    pub seq: i64,
    /// The trait that moved.
    #[serde(rename = "trait")]
    pub of: Trait,
    /// The score before.
    pub previous: f64,
    /// The score after.
    pub new: f64,
    /// How far it moved.
    pub delta: f64,
    /// The session whose budget paid for it.
    pub session: String,
    /// Why it was made.
    pub reason: String,
    /// What it was derived from, unless it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Who did it.
    pub actor: Party,
    /// Through what it was done.
    pub origin: Party,
    /// When it was made.
    pub created_at: Time,
    /// When it was reverted.
    pub reverted_at: Option<Time>,
}

/// Steps to be reverted.
#[derive(Debug, Clone)]
pub struct Revert {
    /// The agent's soul.
    pub key: SoulKey,
    /// The last step that stays; without one, none stays.
    pub to: Option<MutationId>,
    /// The time.
    pub now: Time,
    /// Who does it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}
