//! What answers about personas look like.

use serde_json::Value;
use utoipa::ToSchema;

/// Scores from 0 to 1; a trait that nothing is said of is not there.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) struct Traits {
    #[schema(required = false)]
    honesty_humility: f64,
    #[schema(required = false)]
    emotionality: f64,
    #[schema(required = false)]
    extraversion: f64,
    #[schema(required = false)]
    agreeableness: f64,
    #[schema(required = false)]
    conscientiousness: f64,
    #[schema(required = false)]
    openness: f64,
}

/// A point in the space of moods, each axis from −1 to 1.
#[derive(ToSchema)]
pub(crate) struct Point {
    valence: f64,
    arousal: f64,
    dominance: f64,
}

#[derive(ToSchema)]
pub(crate) struct Mood {
    current: Option<String>,
    default: Option<String>,
    allowed: Vec<String>,
    label: String,
    pad: Point,
    #[schema(required = false)]
    overlaid: bool,
    #[schema(required = false)]
    inactive: bool,
}

#[derive(ToSchema)]
pub(crate) struct Persona {
    baseline: Traits,
    effective: Traits,
    mood: Mood,
    voice: Option<Value>,
    avatar: Option<Value>,
    hard_limits: Vec<String>,
    identity_card: String,
}

#[derive(ToSchema)]
pub(crate) struct Adapted {
    r#trait: String,
    previous: f64,
    new: f64,
    delta: f64,
    clamped: bool,
    /// What shortened the step: `budget`, `bound` or `range`.
    #[schema(required = false)]
    clamped_by: String,
    session_total: f64,
    remaining_budget: f64,
    #[schema(required = false)]
    mutation_id: String,
    #[schema(required = false)]
    overlaid: bool,
    #[schema(required = false)]
    inactive: bool,
}

#[derive(ToSchema)]
pub(crate) struct Proposal {
    r#trait: String,
    delta: f64,
    confidence: f64,
    evidence: String,
}

#[derive(ToSchema)]
pub(crate) struct Drifted {
    proposals: Vec<Proposal>,
    #[schema(required = false)]
    applied: Vec<Adapted>,
}

#[derive(ToSchema)]
pub(crate) struct Overlays {
    overlays: Vec<Value>,
    #[schema(required = false)]
    applied: Vec<String>,
    #[schema(required = false)]
    not_allowed: Vec<Value>,
    #[schema(required = false)]
    inactive: bool,
}

#[derive(ToSchema)]
pub(crate) struct Step {
    id: String,
    r#trait: String,
    delta: f64,
    reason: String,
    session: String,
    status: String,
    strength: f64,
    effect: f64,
}

#[derive(ToSchema)]
#[schema(as = PersonaHistory)]
pub(crate) struct Steps {
    mutations: Vec<Step>,
    next_cursor: Option<String>,
}

#[derive(ToSchema)]
pub(crate) struct Reverted {
    reverted: Vec<String>,
    baseline: Traits,
    effective: Traits,
    mood: Mood,
}
