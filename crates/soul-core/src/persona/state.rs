use serde::{Deserialize, Serialize};

use super::{Bounds, Feeling, Mood, Moods, Mutation, Overlay, Traits, adapted_traits, remaining_effects};
use crate::time::Day;

/// The stored changes of an agent's persona that still have an effect.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PersonaState"))]
#[serde(default)]
pub struct State {
    /// The steps, oldest first.
    pub mutations: Vec<Mutation>,
    /// The active overlays, oldest first.
    pub overlays: Vec<Overlay>,
    /// The current mood; null while the agent is in its default mood.
    pub mood: Option<Mood>,
    /// Whether overlay rules have been evaluated before (see the trigger `first_activation`).
    pub activated: bool,
}

/// Seconds in a day.
const DAY: i64 = 86_400;

/// The operator's settings for adaptation: how far and how fast.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempo {
    pub bounds: Bounds,
    /// How much strength a step loses per day.
    pub decay_rate: f64,
}

impl Default for Tempo {
    fn default() -> Self {
        Self { bounds: Bounds::default(), decay_rate: 0.05 }
    }
}

/// The traits and the mood of an agent at a given time.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub struct Effective {
    pub traits: Traits,
    /// The feeling, which includes the mood.
    pub feeling: Feeling,
    /// Whether the mood comes from an overlay.
    pub overlaid: bool,
    /// When the mood ends, in seconds since 1970-01-01T00:00:00Z; `None` for the one that the agent returns to.
    pub mood_ends: Option<i64>,
}

impl State {
    /// The effective persona: the baseline, adapted by steps, with overlays applied, all within bounds.
    #[must_use]
    pub fn effective(&self, baseline: &Traits, moods: &Moods, tempo: Tempo, now: i64) -> Effective {
        let mut traits = self.adapted(baseline, tempo, now);
        for (trait_, score) in self.active_overlays(now).flat_map(|overlay| overlay.traits.known().collect::<Vec<_>>())
        {
            traits.set(trait_, tempo.bounds.hold(baseline.get(trait_), score));
        }
        let mut feeling = Mood::feeling(self.mood.as_ref(), moods, &traits, now);
        let sets = |overlay: &&Overlay| overlay.mood.as_deref().is_some_and(|mood| moods.allows(mood));
        let laid = self.active_overlays(now).rfind(sets);
        let held = self.mood.as_ref().filter(|mood| mood.name.is_some() && mood.name == feeling.mood);
        let faded = held.filter(|mood| mood.name.as_deref() != moods.home()).map(|mood| mood.half_passed(&traits, now));
        let mood_ends = laid.map(|overlay| overlay.until).or(faded);
        feeling.mood = laid.and_then(|overlay| overlay.mood.clone()).or(feeling.mood);
        Effective { traits, feeling, overlaid: laid.is_some(), mood_ends }
    }

    /// The overlays that have not ended, oldest first.
    pub fn active_overlays(&self, now: i64) -> impl DoubleEndedIterator<Item = &Overlay> {
        self.overlays.iter().filter(move |overlay| overlay.until > now)
    }

    /// The scores without overlays, from which a step starts.
    #[must_use]
    pub fn adapted(&self, baseline: &Traits, tempo: Tempo, now: i64) -> Traits {
        adapted_traits(baseline, &self.mutations, tempo.bounds, tempo.decay_rate, Day::of_seconds(now))
    }

    /// The first second at which traits or the name of the mood may be other than they are now, without anybody
    /// changing them; `traits` are the effective ones. `None` if they stay.
    #[must_use]
    pub fn steady_until(&self, traits: &Traits, now: i64) -> Option<i64> {
        let next_day = (now.div_euclid(DAY) + 1) * DAY;
        let steps = (!self.mutations.is_empty()).then_some(next_day);
        let overlays = self.active_overlays(now).map(|overlay| overlay.until).min();
        let mood = self.mood.as_ref().and_then(|mood| mood.next_turn(traits, now));
        steps.into_iter().chain(overlays).chain(mood).min()
    }

    /// Drops steps that have faded and overlays that have ended. The effective persona stays the same.
    pub fn prune(&mut self, tempo: Tempo, now: i64) {
        let mut standing = remaining_effects(&self.mutations, tempo.decay_rate, Day::of_seconds(now)).into_iter();
        self.mutations.retain(|_| standing.next().flatten().is_some());
        self.overlays.retain(|overlay| overlay.until > now);
    }

    /// Adds overlays; an overlay of the same rule is replaced.
    pub fn add_overlays(&mut self, overlays: Vec<Overlay>) {
        self.overlays.retain(|old| overlays.iter().all(|new| new.rule != old.rule));
        self.overlays.extend(overlays);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trait;
    use super::*;

    #[test]
    fn a_mood_says_when_it_ends() {
        let allowed = ["neutral", "frustrated"].map(str::to_owned).to_vec();
        let moods = Moods { default: Some("neutral".into()), allowed, fixed: false };
        let mut state = State { mood: Some(Mood::set("frustrated", 1000)), ..State::default() };
        let at = |state: &State, now| state.effective(&Traits::default(), &moods, Tempo::default(), now);
        let ends = at(&state, 1000).mood_ends.unwrap();
        assert_eq!(at(&state, ends - 2).feeling.mood.as_deref(), Some("frustrated"));
        let after = at(&state, ends + 2);
        assert_eq!((after.feeling.mood.as_deref(), after.mood_ends), (Some("neutral"), None));
        let patch = super::super::Patch { mood: Some("frustrated".into()), ..Default::default() };
        state.add_overlays(vec![Overlay::new("late", &patch, 90_000)]);
        assert_eq!(at(&state, 1000).mood_ends, Some(90_000));
        state = State { mood: Some(Mood::set("neutral", 1000)), ..State::default() };
        assert_eq!(at(&state, 1000).mood_ends, None);
    }

    /// Whatever second is asked for, nothing changes before the time that was named.
    #[test]
    fn nothing_changes_before_its_time() {
        let baseline = Traits::from_iter([(Trait::Openness, 0.5), (Trait::Emotionality, 0.7)]);
        let allowed = ["neutral", "frustrated", "curious"].map(str::to_owned).to_vec();
        let moods = Moods { default: Some("neutral".into()), allowed, fixed: false };
        let overlay = Overlay {
            rule: "bold".into(),
            traits: Traits::from_iter([(Trait::Openness, 0.9)]),
            mood: None,
            metadata: Default::default(),
            until: 50_000,
        };
        let step = Mutation { seq: 1, trait_: Trait::Openness, delta: 0.1, day: Day(0) };
        let state = State {
            mutations: vec![step],
            overlays: vec![overlay],
            mood: Some(Mood::set("frustrated", 1000)),
            activated: true,
        };
        let at = |now| {
            let effective = state.effective(&baseline, &moods, Tempo::default(), now);
            ((effective.traits, effective.feeling.mood), state.steady_until(&effective.traits, now))
        };
        let (mut now, mut turns) = (1000, Vec::new());
        while now < 40 * DAY {
            let (before, until) = at(now);
            let until = until.unwrap_or(40 * DAY);
            for second in (now..until).step_by(97).chain([until - 1]).filter(|second| *second >= now) {
                assert_eq!(at(second).0, before, "between {now} and {until} at {second}");
            }
            let after = at(until.max(now + 1)).0;
            if after != before {
                turns.push(until);
            }
            now = until.max(now + 1);
        }
        assert!(turns.contains(&50_000) && turns.contains(&DAY) && turns.len() > 3, "{turns:?}");
        assert_eq!(State::default().steady_until(&baseline, 7), None);
    }

    #[test]
    fn overlays_end_and_stay_within_bounds() {
        let baseline = Traits::from_iter([(Trait::Openness, 0.5)]);
        let allowed = vec!["neutral".into(), "focused".into()];
        let moods = Moods { default: Some("neutral".into()), allowed, fixed: false };
        let overlay = |rule: &str, score: f64, mood: &str, until| Overlay {
            rule: rule.into(),
            traits: Traits::from_iter([(Trait::Openness, score)]),
            mood: Some(mood.into()),
            metadata: Default::default(),
            until,
        };
        let mut state = State::default();
        state.add_overlays(vec![overlay("bold", 1.0, "focused", 200), overlay("meek", 0.4, "curious", 100)]);
        let at = |now| {
            let effective = state.effective(&baseline, &moods, Tempo::default(), now);
            (effective.traits.get(Trait::Openness).unwrap(), effective.feeling.mood.unwrap())
        };
        assert_eq!(at(50), (0.4, "focused".to_owned()));
        assert_eq!(at(100), (0.8, "focused".to_owned()));
        assert_eq!(at(200), (0.5, "neutral".to_owned()));
        state.prune(Tempo::default(), 100);
        assert_eq!(state.overlays.len(), 1);
    }
}
