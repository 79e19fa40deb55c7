//! Steps that are proposed from what happened.

use super::*;

#[test]
fn drift_is_proposed_and_applied_with_its_evidence() {
    let place = Place::new();
    let traces = json!({ "traces": vec![json!({ "valence": 0, "arousal": 0.5 }); 20] });
    let drift = |traces, relationship, apply| {
        place.run(drift::Request { relationship, apply, session: Some(non_blank("s")), ..drifting(traces) })
    };
    let trust = Some(json!({ "trustDelta": -100 }));
    let proposed = drift(traces.clone(), trust.clone(), false).unwrap();
    let sent = serde_json::to_value(&proposed).unwrap();
    assert_eq!((&sent["proposals"][0]["trait"], &sent["proposals"][0]["delta"]), (&json!("honesty"), &json!(-0.029)));
    assert_eq!((proposed.applied, place.history().len()), (None, 0));
    let applied = drift(traces.clone(), trust, true).unwrap().applied.unwrap();
    assert_eq!(applied.iter().map(|step| step.of.as_str()).collect::<Vec<_>>(), ["honesty", "agreeableness"]);
    let history = place.history();
    assert_eq!(history[1].mutation.evidence.as_deref(), Some("trust changed by -100"));
    // A trait of which nothing is written starts in the middle.
    assert_eq!(history[0].mutation.previous, 0.5);
    let why = |result: Result<drift::Response, Error>| match result {
        Err(Error::Persona(PersonaError::BadInput(what, why))) => format!("{what}: {why}"),
        other => panic!("{other:?}"),
    };
    for (wrong, message) in [
        (json!(7), "it is not a list"),
        (json!({}), "it is not a list"),
        (json!({ "trace": [] }), "there is no `trace`; did you mean `traces`?"),
        (json!([1]), "trace 1: it is neither an object nor null"),
        (json!([null, { "valence": "-0.9" }]), "trace 2: `valence` is not a number"),
        (json!([{ "valance": 1 }]), "trace 1: there is no `valance`; did you mean `valence`?"),
        (
            json!([{ "emotionalContext": { "valence": 1 } }]),
            "trace 1: its feeling is inside `emotionalContext`; put `valence` and `arousal` into the trace",
        ),
    ] {
        assert_eq!(why(drift(wrong, None, false)), format!("the traces: {message}"));
    }
    for (wrong, message) in [
        (json!("x"), "it is not an object"),
        (json!([-100]), "it is not an object"),
        (json!({ "trust": -50 }), "there is no `trust`; did you mean `trustDelta`?"),
        (json!({ "trustDelta": null }), "`trustDelta` is not a number"),
        (json!({ "trustDelta": -100.5 }), "`trustDelta` is -100.5, but must be from -100 to 100"),
    ] {
        assert_eq!(why(drift(traces.clone(), Some(wrong), false)), format!("the relationship: {message}"));
    }
    let config = json!({ "traces": [], "config": { "maxDelta": 0.1 } });
    assert_eq!(why(drift(config, None, false)), "the config: there is no `maxDelta`; did you mean `maxDeltaPerCycle`?");
}

/// What the peer was recorded to answer, through the whole engine.
#[test]
fn drift_matches_the_recorded_cases() {
    let cases = include_str!("../../../../../conformance/hexaco-drift.json");
    let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
    for case in cases {
        let place = Place::new();
        fs::write(place.home.soul(), format!("---\nname: Coder\nhexaco: {}\n---\nYou code.\n", case["traits"]))
            .unwrap();
        let found = place.run(drifting(case.clone())).unwrap().proposals;
        let proposed =
            found.iter().map(|one| (one.trait_.short().to_owned(), one.delta, one.confidence)).collect::<Vec<_>>();
        let number = |value: &Value| value.as_f64().unwrap();
        let want = case["expect"].as_array().unwrap().iter();
        let want = want
            .map(|one| (one["trait"].as_str().unwrap().to_owned(), number(&one["delta"]), number(&one["confidence"])));
        assert_eq!(proposed, want.collect::<Vec<_>>(), "{}", case["id"]);
    }
}

#[test]
fn a_relationship_that_is_given_wins_over_the_one_of_the_traces() {
    let place = Place::new();
    place.home.config("[persona.drift]\nmin_traces = 5\nmax_delta = 0.1\n");
    let traces =
        json!({ "traces": vec![json!({ "valence": 0, "arousal": 0.5 }); 5], "relationship": { "trustDelta": -100 } });
    let propose =
        |relationship| place.run(drift::Request { relationship, ..drifting(traces.clone()) }).unwrap().proposals;
    assert_eq!(propose(None)[0].trait_, Trait::HonestyHumility);
    assert_eq!(propose(Some(json!({ "relationship": { "respectDelta": 100 } })))[0].trait_, Trait::Conscientiousness);
    assert_eq!(propose(Some(json!({ "trustDelta": 0 }))), []);
}
