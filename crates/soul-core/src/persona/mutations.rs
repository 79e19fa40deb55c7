use serde::{Deserialize, Serialize};

use super::{Bounds, Trait, Traits};
use crate::time::Day;

/// A step that was taken and still has an effect. In JSON an array of four values, because there can be
/// many: sequence number, trait, delta and day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TraitMutation"))]
#[serde(from = "(i64, Trait, f64, Day)", into = "(i64, Trait, f64, Day)")]
pub struct Mutation {
    /// Sequence number among the agent's steps.
    pub seq: i64,
    /// The trait.
    pub trait_: Trait,
    /// How far the step moved the score.
    pub delta: f64,
    /// The day on which it was taken.
    pub day: Day,
}

impl From<(i64, Trait, f64, Day)> for Mutation {
    fn from((seq, trait_, delta, day): (i64, Trait, f64, Day)) -> Self {
        Self { seq, trait_, delta, day }
    }
}

impl From<Mutation> for (i64, Trait, f64, Day) {
    fn from(Mutation { seq, trait_, delta, day }: Mutation) -> Self {
        (seq, trait_, delta, day)
    }
}

/// The part of a step that still has an effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RemainingEffect {
    /// The remaining strength, from 1 down to 0.
    pub strength: f64,
    /// How far it moves the score now: delta times strength.
    pub effect: f64,
}

/// A step this weak is gone.
const GONE: f64 = 0.1;

/// What is left of each step today, oldest first; none of one that has faded.
///
/// A step fades by `rate` a day. A later one of the same trait in the same direction renews those before
/// it: what is left of them has full strength again and fades from that day. What has faded does not come
/// back, so that a renewal never moves a trait and no call moves one farther than its budget. Steps of one
/// trait and direction therefore fade together, from the day of the last one.
#[must_use]
pub fn remaining_effects(mutations: &[Mutation], rate: f64, today: Day) -> Vec<Option<RemainingEffect>> {
    let over = |from: Day, to: Day| 1.0 - rate * f64::from(to.0.saturating_sub(from.0).max(0));
    let mut left: Vec<Option<f64>> = Vec::with_capacity(mutations.len());
    let mut last: [[Option<Day>; 2]; 6] = Default::default();
    let group = |mutation: &Mutation| (mutation.trait_ as usize, usize::from(mutation.delta < 0.0));
    for (index, mutation) in mutations.iter().enumerate() {
        let (trait_, direction) = group(mutation);
        if let Some(before) = last[trait_][direction].filter(|before| *before < mutation.day) {
            let strength = over(before, mutation.day);
            for (earlier, left) in mutations[..index].iter().zip(&mut left) {
                if group(earlier) == (trait_, direction) {
                    *left = left.filter(|_| strength > GONE).map(|left| left * strength);
                }
            }
        }
        let newest = last[trait_][direction].map_or(mutation.day, |before| before.max(mutation.day));
        last[trait_][direction] = Some(newest);
        left.push(Some(1.0));
    }
    let now = |(mutation, left): (&Mutation, Option<f64>)| {
        let (trait_, direction) = group(mutation);
        let since = over(last[trait_][direction]?, today);
        let strength = left.filter(|_| since > GONE)? * since;
        Some(RemainingEffect { strength, effect: mutation.delta * strength })
    };
    mutations.iter().zip(left).map(now).collect()
}

/// The scores after all that still counts: the baseline, and the effect of each step, in order. Each step
/// ends within bounds, so that a later one starts from a score that could be seen, and not from what an
/// earlier one would have reached.
#[must_use]
pub fn adapted_traits(baseline: &Traits, mutations: &[Mutation], bounds: Bounds, rate: f64, today: Day) -> Traits {
    let held = |trait_, score| bounds.hold(baseline.get(trait_), score);
    let mut traits = *baseline;
    for (Mutation { trait_, .. }, standing) in mutations.iter().zip(remaining_effects(mutations, rate, today)) {
        let Some(standing) = standing else { continue };
        let before = traits.get(*trait_).unwrap_or(Bounds::UNWRITTEN);
        traits.set(*trait_, held(*trait_, before + standing.effect));
    }
    traits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(seq: i64, delta: f64, day: i32) -> Mutation {
        Mutation { seq, trait_: Trait::Openness, delta, day: Day(day) }
    }

    fn effects(mutations: &[Mutation], today: i32) -> Vec<Option<f64>> {
        remaining_effects(mutations, 0.05, Day(today)).iter().map(|one| one.map(|one| one.effect)).collect()
    }

    #[test]
    fn a_step_fades_by_the_day_and_is_gone_on_the_18th() {
        let one = [step(1, 0.1, 100)];
        assert_eq!(effects(&one, 100), [Some(0.1)]);
        assert_eq!(effects(&one, 110), [Some(0.05)]);
        assert!(effects(&one, 117)[0].is_some());
        assert_eq!(effects(&one, 118), [None]);
        // A clock that was set back takes nothing away.
        assert_eq!(effects(&one, 90), [Some(0.1)]);
    }

    #[test]
    fn the_same_direction_renews_and_the_other_does_not() {
        let renewed = [step(1, 0.1, 100), step(2, 0.02, 110)];
        assert_eq!(effects(&renewed, 110), [Some(0.05), Some(0.02)]);
        let strengths: Vec<_> =
            remaining_effects(&renewed, 0.05, Day(110)).iter().map(|one| one.unwrap().strength).collect();
        assert_eq!(strengths, [0.5, 1.0]);
        assert!(effects(&renewed, 127).iter().all(Option::is_some));
        assert_eq!(effects(&renewed, 128), [None, None]);
        let against = [step(1, 0.1, 100), step(2, -0.02, 110)];
        assert_eq!(effects(&against, 118), [None, Some(-0.02 * 0.6)]);
        // What is gone stays gone.
        let late = [step(1, 0.1, 100), step(2, 0.1, 118)];
        assert_eq!(effects(&late, 118), [None, Some(0.1)]);
    }

    #[test]
    fn scores_are_the_sums_of_what_was_answered() {
        let mutations = [step(1, 0.1, 1), step(2, 0.1, 1), step(3, 0.099_999_999_999_999_98, 1)];
        let baseline = Traits::from_iter([(Trait::Openness, 0.5)]);
        let after = adapted_traits(&baseline, &mutations, Bounds::default(), 0.05, Day(1));
        assert_eq!(after.get(Trait::Openness), Some(0.799_999_999_999_999_9));
        assert_eq!(
            adapted_traits(&Traits::default(), &mutations, Bounds::default(), 0.05, Day(400)),
            Traits::default()
        );
    }
}
