use serde::{Deserialize, Serialize};

use super::Trait;
use crate::text::characters::is_visible;

/// How far a trait may move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The budget of one session for one trait: the sum of its steps, whatever their direction.
    pub per_session: f64,
    /// The largest distance of a trait from the author's baseline.
    pub total: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { per_session: 0.15, total: 0.30 }
    }
}

impl Bounds {
    /// The baseline of a trait that the author did not score.
    pub const UNWRITTEN: f64 = 0.5;

    /// The score, clamped to 0..=1 and to the bound around the baseline.
    #[must_use]
    pub fn hold(self, baseline: Option<f64>, score: f64) -> f64 {
        let baseline = baseline.unwrap_or(Self::UNWRITTEN).clamp(0.0, 1.0);
        score.min(baseline + self.total).min(1.0).max(baseline - self.total).max(0.0)
    }
}

/// The result of moving one trait.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TraitAdaptation"))]
pub struct Adapted {
    /// Score before the step.
    pub previous: f64,
    /// Score after the step.
    pub new: f64,
    /// How far the score moved, which may be less than requested.
    pub delta: f64,
    /// Whether the score moved less than requested.
    pub clamped: bool,
    /// What limited the step; absent if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clamped_by: Option<Clamp>,
    /// How much of its budget for this trait the session has spent.
    pub session_total: f64,
    /// How much of that budget is left.
    pub remaining_budget: f64,
}

/// What limited a step of a trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ClampReason", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Clamp {
    /// The session has spent its budget for the trait.
    Budget,
    /// The score is as far from the author's baseline as it may get.
    Bound,
    /// Scores are between 0 and 1.
    Range,
}

/// Why a step is refused, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The trait is unknown.
    Trait,
    /// The reason is blank.
    Reason,
    /// The delta is not a finite number.
    Delta,
}

/// Validates a step without taking it.
///
/// # Errors
/// The first check that fails.
pub fn check(trait_: &str, reason: &str, delta: f64) -> Result<Trait, Refused> {
    let trait_ = Trait::from_key(trait_).ok_or(Refused::Trait)?;
    if !reason.chars().any(is_visible) {
        return Err(Refused::Reason);
    }
    if delta.is_finite() { Ok(trait_) } else { Err(Refused::Delta) }
}

/// Moves a trait as far as the session's budget, the range and the total bound allow. Steps in both directions use
/// up the budget; what a bound cuts off does not.
///
/// Computed in the order of AgentOS, so that results are equal to the last bit.
///
/// ```
/// use soul_core::persona::{Bounds, adapt};
/// let step = adapt(Some(0.5), Some(0.5), 0.0, 0.1, Bounds::default());
/// assert_eq!((step.new, step.remaining_budget, step.clamped), (0.6, 0.04999999999999999, false));
/// ```
#[must_use]
pub fn adapt(current: Option<f64>, baseline: Option<f64>, spent: f64, delta: f64, bounds: Bounds) -> Adapted {
    let mut delta = delta;
    let mut clamped_by = None;
    let remaining = bounds.per_session - spent;
    if delta.abs() > remaining {
        delta = remaining * delta.signum();
        clamped_by = Some(Clamp::Budget);
    }
    if remaining <= 0.0 {
        (delta, clamped_by) = (0.0, Some(Clamp::Budget));
    }
    // A score from outside may lie anywhere; a step starts from where scores can be.
    let previous = bounds.hold(baseline, current.or(baseline).unwrap_or(Bounds::UNWRITTEN));
    let mut new = previous + delta;
    let held = bounds.hold(baseline, new);
    if held != new {
        let clamp = if held == 0.0 || held == 1.0 { Clamp::Range } else { Clamp::Bound };
        (new, delta, clamped_by) = (held, held - previous, Some(clamp));
    }
    let session_total = spent + delta.abs();
    // Zero has no direction.
    let delta = if delta == 0.0 { 0.0 } else { delta };
    let remaining_budget = (bounds.per_session - session_total).max(0.0);
    let clamped = clamped_by.is_some();
    Adapted { previous, new, delta, clamped, clamped_by, session_total, remaining_budget }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_makes_sense_or_is_refused_for_the_first_reason() {
        assert_eq!(check("honesty", "because", -0.1), Ok(Trait::HonestyHumility));
        assert_eq!(check("charm", "", f64::NAN), Err(Refused::Trait));
        assert_eq!(check("openness", " \n\u{200b}\u{a0}\0", f64::NAN), Err(Refused::Reason));
        assert_eq!(check("openness", "\u{3164}\u{2800}\u{e0041}", 0.1), Err(Refused::Reason));
        assert_eq!(check("openness", "で", 0.1), Ok(Trait::Openness));
        assert_eq!(check("openness", "because", f64::INFINITY), Err(Refused::Delta));
    }

    #[test]
    fn the_baseline_holds_however_many_sessions_pull() {
        let bounds = Bounds::default();
        let step = adapt(Some(0.75), Some(0.5), 0.0, 0.15, bounds);
        assert_eq!((step.new, step.clamped_by), (0.8, Some(Clamp::Bound)));
        assert!((step.session_total - 0.05).abs() < 1e-12);
        let stuck = adapt(Some(0.8), Some(0.5), 0.0, 0.15, bounds);
        assert_eq!((stuck.delta, stuck.session_total, stuck.clamped), (0.0, 0.0, true));
        let by = |current, spent, delta| adapt(Some(current), Some(0.9), spent, delta, bounds).clamped_by;
        assert_eq!([by(0.9, 0.0, 0.05), by(0.9, 0.0, 0.2)], [None, Some(Clamp::Range)]);
        assert_eq!([by(0.9, 0.15, 0.1), by(0.9, 0.0, -0.2)], [Some(Clamp::Budget); 2]);
    }

    #[test]
    fn a_start_from_outside_is_brought_inside_and_costs_nothing() {
        let step = adapt(Some(1.7), None, 0.0, 0.1, Bounds { per_session: 0.15, total: 1.0 });
        assert_eq!((step.previous, step.new, step.delta, step.remaining_budget), (1.0, 1.0, 0.0, 0.15));
    }
}
