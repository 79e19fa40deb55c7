//! Steps within bounds, fading, and what the operator decides.

use super::*;

#[test]
fn a_budget_outlives_the_process_and_a_step_that_moves_nothing_is_not_recorded() {
    let place = Place::new();
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.new, 0.7);
    let second = place.adapt("openness", 0.1, "s").adapted;
    assert_eq!((second.clamped_by, second.remaining_budget), (Some(Clamp::Budget), 0.0));
    let third = place.adapt("openness", -0.1, "s");
    assert_eq!((third.adapted.delta, third.mutation_id), (0.0, None));
    assert_eq!(place.adapt("openness", 1e-17, "t").mutation_id, None);
    assert_eq!(place.history().len(), 2);
    // The three spellings are one trait with one budget.
    assert_eq!(place.adapt("honesty", -0.05, "s").of, "honesty");
    assert_eq!(place.adapt("honestyHumility", -0.05, "s").adapted.session_total, 0.1);
    let third = place.adapt("honesty_humility", -0.5, "s").adapted;
    assert!((third.new - 0.75).abs() < 1e-12 && third.clamped);
    // Other sessions go on, up to the bound from what is written.
    place.adapt("openness", 0.15, "t");
    assert_eq!(place.adapt("openness", 0.15, "u").adapted.new, 0.6 + 0.3);
    let stuck = place.adapt("openness", 0.15, "v");
    assert_eq!((stuck.mutation_id, stuck.adapted.clamped_by), (None, Some(Clamp::Bound)));
    assert_eq!(place.home.text().as_deref(), Some(SOUL));
}

#[test]
fn an_invalid_step_is_refused() {
    let place = Place::new();
    let adapt = |of: &str, delta: f64, reason: &str, session: Option<String>| {
        let (of, reason) = (of.to_owned(), reason.to_owned());
        let session = session.map(|session| non_blank(&session));
        place.run(adapt::Request { agent: coder(), of, delta, reason, session })
    };
    assert!(matches!(adapt("charm", f64::NAN, "", None), Err(Error::Persona(PersonaError::UnknownTrait(_, None)))));
    assert!(matches!(
        adapt("Openness", 0.1, "x", None),
        Err(Error::Persona(PersonaError::UnknownTrait(_, Some(Trait::Openness))))
    ));
    assert!(matches!(adapt("openness", f64::NAN, " ", None), Err(Error::Persona(PersonaError::BadReason))));
    assert!(matches!(adapt("openness", 0.1, &"x".repeat(5000), None), Err(Error::Persona(PersonaError::BadReason))));
    assert!(matches!(adapt("openness", f64::NEG_INFINITY, "x", None), Err(Error::Persona(PersonaError::NotFinite(_)))));
    assert!(matches!(
        adapt("openness", 0.1, "x", Some("s".repeat(300))),
        Err(Error::Persona(PersonaError::BadSession))
    ));
    assert_eq!(place.history(), []);
    // A caller that names no session shares one budget with all who do not.
    assert_eq!(adapt("openness", 0.1, "x", None).unwrap().adapted.session_total, 0.1);
}

#[test]
fn steps_fade_by_the_day_and_the_same_direction_renews_them() {
    let place = Place::new();
    place.adapt("openness", 0.1, "a");
    place.pass(10 * DAY);
    assert!((place.openness() - 0.65).abs() < 1e-12);
    let renewed = place.adapt("openness", 0.05, "b").adapted;
    assert!((renewed.previous - 0.65).abs() < 1e-12 && (renewed.new - 0.7).abs() < 1e-12);
    assert_eq!(place.openness(), renewed.new);
    // What is shown adds up to what holds, after a renewal too.
    let shown = |step: &history::Entry| step.mutation.delta * step.strength;
    let steps = place.history();
    assert_eq!(steps.iter().map(|step| step.strength).collect::<Vec<_>>(), [1.0, 0.5]);
    assert!(steps.iter().all(|step| step.effect == shown(step)));
    assert_eq!(steps.iter().rev().fold(0.6, |score, step| score + shown(step)), place.openness());
    place.pass(17 * DAY);
    assert!(place.history().iter().all(|entry| entry.status == history::Status::Standing));
    place.pass(DAY);
    assert_eq!(place.openness(), 0.6);
    assert!(place.history().iter().all(|entry| entry.status == history::Status::Faded && entry.effect == 0.0));
    // Faded steps that the next one drops change nothing that is shown.
    place.adapt("honesty", -0.1, "c");
    assert_eq!((place.openness(), place.history().len()), (0.6, 3));
}

#[test]
fn the_operator_decides_how_far_and_how_fast() {
    let place = Place::new();
    place.home.config("[persona]\nmax_delta_per_session = 0.3\nmax_total_delta = 0.2\ndecay_rate = 0.5\n");
    let step = place.adapt("openness", 0.3, "s").adapted;
    assert_eq!((step.new, step.clamped), (0.8, true));
    place.pass(DAY);
    assert!((place.openness() - 0.7).abs() < 1e-12);
    place.pass(DAY);
    assert_eq!(place.openness(), 0.6);
}
