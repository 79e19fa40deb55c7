//! An agent's traits and mood, and how they change.

pub mod adapt;
pub mod drift;
pub mod history;
pub mod mood;
pub mod overlay;
pub mod revert;
pub mod show;

operations! { adapt, drift, history, mood, overlay, revert, show }

use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::{Effective, Feeling, Moods, Pad};

use crate::Keeper;
use crate::clock::Time;
use crate::persona::{AgentPersona, is_inactive};

/// An agent's mood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaMood")]
pub struct Mood {
    /// The current mood; null if the soul defines none and none was set.
    pub current: Option<String>,
    /// The mood that the agent returns to.
    pub default: Option<String>,
    /// The moods that the soul allows; if empty, every mood that has a name of its own is allowed.
    pub allowed: Vec<String>,
    /// One word that describes the mood.
    pub label: String,
    /// The mood as a point in the mood space.
    pub pad: Pad,
    /// Whether an overlay sets the mood, so that a mood that was set has no effect.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub overlaid: bool,
    /// When the mood ends and the default returns; absent for the default itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// Whether souls are disabled, so that the mood does not affect prompts.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

impl Mood {
    fn new(keeper: &Keeper, persona: &AgentPersona, effective: &Effective) -> Self {
        let Moods { default, allowed, .. } = persona.moods.clone();
        let Feeling { mood: current, pad, label } = effective.feeling.clone();
        let until = effective.mood_ends.map(Time::of_seconds);
        let (overlaid, inactive) = (effective.overlaid, is_inactive(keeper));
        Self { current, default, allowed, label, pad, overlaid, until, inactive }
    }
}
