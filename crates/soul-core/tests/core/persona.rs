//! What holds for a persona whatever is done to it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use soul_core::persona::{Bounds, Mood, Moods, Mutation, Overlay, Pad, State, Tempo, Trait, Traits, adapt};
use soul_core::time::Day;

const DAY: i64 = 86_400;

/// A step that someone asks for: the session, the trait, how far, and how long after the one before.
#[derive(Debug, Clone)]
struct Asked {
    session: u8,
    trait_: Trait,
    delta: f64,
    later: i64,
}

fn asked() -> impl Strategy<Value = Asked> {
    let delta = prop_oneof![-0.3..0.3_f64, Just(0.1), Just(-0.1), Just(0.0), -1e300..1e300_f64, Just(1e-17)];
    let trait_ = prop::sample::select(&Trait::ALL[..2]);
    (0u8..3, trait_, delta, prop_oneof![3 => Just(0), 1 => 0..30 * DAY])
        .prop_map(|(session, trait_, delta, later)| Asked { session, trait_, delta, later })
}

fn score() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![Just(None), (0.0..=1.0_f64).prop_map(Some), Just(Some(0.0)), Just(Some(1.0))]
}

fn tempo() -> impl Strategy<Value = Tempo> {
    let usual = Just(Tempo::default());
    let any = (0.0..=1.0_f64, 0.0..=1.0_f64, 0.0..=1.0_f64)
        .prop_map(|(per_session, total, decay_rate)| Tempo { bounds: Bounds { per_session, total }, decay_rate });
    prop_oneof![usual, any]
}

fn baseline(scores: [Option<f64>; 2]) -> Traits {
    Trait::ALL.into_iter().zip(scores).filter_map(|(trait_, score)| Some((trait_, score?))).collect()
}

proptest! {
    #[test]
    fn no_sequence_of_steps_breaks_a_bound(
        scores in [score(), score()], steps in prop::collection::vec(asked(), 0..40), tempo in tempo(),
    ) {
        let baseline = baseline(scores);
        let (mut state, mut kept, mut now) = (State::default(), State::default(), 0);
        let mut spent: BTreeMap<(u8, &str), f64> = BTreeMap::new();
        for Asked { session, trait_, delta, later } in steps {
            now += later;
            let before = state.adapted(&baseline, tempo, now);
            let spent = spent.entry((session, trait_.as_str())).or_default();
            let step = adapt(before.get(trait_), baseline.get(trait_), *spent, delta, tempo.bounds);
            *spent = step.session_total;
            prop_assert!(*spent <= tempo.bounds.per_session + 1e-12, "spent {}", spent);
            prop_assert!(step.delta.abs() <= tempo.bounds.per_session + 1e-12);
            prop_assert!(step.clamped || step.delta == delta);
            let mutation = Mutation { seq: 0, trait_, delta: step.delta, day: Day::of_seconds(now) };
            state.mutations.push(mutation);
            kept.mutations.push(mutation);
            let after = state.adapted(&baseline, tempo, now);
            let got = after.get(trait_).unwrap();
            prop_assert!((got - step.new).abs() < 1e-9, "{} was answered, {} holds", step.new, got);
            for (trait_, score) in after.known() {
                let written = baseline.get(trait_).unwrap_or(0.5);
                prop_assert!((0.0..=1.0).contains(&score));
                prop_assert!((score - written).abs() <= tempo.bounds.total + 1e-12);
            }
            // What is let go of, and what a restart reads back, changes nothing.
            state.prune(tempo, now);
            state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
            for days in [0, 1, 5, 17, 400] {
                let then = now + days * DAY;
                prop_assert_eq!(state.adapted(&baseline, tempo, then), kept.adapted(&baseline, tempo, then));
            }
        }
    }

    #[test]
    fn overlays_on_different_traits_may_come_in_any_order(
        scores in prop::collection::vec(0.0..=1.0_f64, 6), order in Just(Trait::ALL.to_vec()).prop_shuffle(), tempo in tempo(),
    ) {
        let overlay = |trait_: Trait| Overlay {
            rule: trait_.to_string(),
            traits: Traits::from_iter([(trait_, scores[trait_ as usize])]),
            mood: None,
            metadata: Default::default(),
            until: 10,
        };
        let laid = |order: &[Trait]| {
            let mut state = State::default();
            order.iter().for_each(|trait_| state.add_overlays(vec![overlay(*trait_)]));
            state.effective(&Traits::default(), &Moods::default(), tempo, 0)
        };
        prop_assert_eq!(laid(&order), laid(&Trait::ALL));
    }

    #[test]
    fn a_mood_stays_in_its_space_and_among_the_allowed(
        events in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64, -2.0..2.0_f64, 0..100 * DAY), 1..20), emotionality in score(),
    ) {
        let traits = baseline([None, emotionality]);
        let moods = Moods { default: Some("calm".into()), allowed: vec!["calm".into(), "frustrated".into()], fixed: false };
        let (mut mood, mut now) = (None, 0);
        for (valence, arousal, dominance, later) in events {
            now += later;
            let next = Mood::moved(mood.as_ref(), Pad { valence, arousal, dominance }, &moods, &traits, now);
            for then in [0, DAY, 1000 * DAY] {
                let feeling = Mood::feeling(Some(&next), &moods, &traits, now + then);
                for axis in [feeling.pad.valence, feeling.pad.arousal, feeling.pad.dominance] {
                    prop_assert!((-1.0..=1.0).contains(&axis));
                }
                prop_assert!(moods.allows(&feeling.mood.unwrap()));
            }
            mood = Some(next);
        }
    }
}
