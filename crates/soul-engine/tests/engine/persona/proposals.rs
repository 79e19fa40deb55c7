//! Steps that are proposed from what happened.

use super::*;

#[test]
fn drift_is_proposed_and_taken_with_its_evidence() {
    let place = Place::new();
    let traces = json!({ "traces": vec![json!({ "valence": 0, "arousal": 0.5 }); 20] });
    let run = |traces, relationship, apply| {
        drift::run(&place.keeper(), drift::Request { agent: coder(), traces, relationship, apply })
    };
    let trust = Some(json!({ "trustDelta": -100 }));
    let proposed = run(traces.clone(), trust.clone(), None).unwrap();
    let told = serde_json::to_value(&proposed).unwrap();
    assert_eq!((&told["proposals"][0]["trait"], &told["proposals"][0]["delta"]), (&json!("honesty"), &json!(-0.029)));
    assert_eq!((proposed.applied, place.history().len()), (None, 0));
    let apply = Some(drift::Apply { session: Some("s".into()), asker: asker() });
    let applied = run(traces.clone(), trust, apply).unwrap().applied.unwrap();
    assert_eq!(applied.iter().map(|step| step.of.as_str()).collect::<Vec<_>>(), ["honesty", "agreeableness"]);
    let history = place.history();
    assert_eq!(history[1].mutation.evidence.as_deref(), Some("trust changed by -100"));
    // A trait of which nothing is written starts in the middle.
    assert_eq!(history[0].mutation.previous, 0.5);
    let why = |told: Result<drift::Response, Error>| match told {
        Err(Error::BadInput(what, why)) => format!("{what}: {why}"),
        other => panic!("{other:?}"),
    };
    for (wrong, told) in [
        (json!(7), "they are no list"),
        (json!({}), "they are no list"),
        (json!({ "trace": [] }), "there is no `trace`; did you mean `traces`?"),
        (json!([1]), "trace 1: it is neither an object nor null"),
        (json!([null, { "valence": "-0.9" }]), "trace 2: `valence` is no number"),
        (json!([{ "valance": 1 }]), "trace 1: there is no `valance`; did you mean `valence`?"),
        (
            json!([{ "emotionalContext": { "valence": 1 } }]),
            "trace 1: its feeling is inside `emotionalContext`; put `valence` and `arousal` into the trace",
        ),
    ] {
        assert_eq!(why(run(wrong, None, None)), format!("the traces: {told}"));
    }
    for (wrong, told) in [
        (json!("x"), "it is no object"),
        (json!([-100]), "it is no object"),
        (json!({ "trust": -50 }), "there is no `trust`; did you mean `trustDelta`?"),
        (json!({ "trustDelta": null }), "`trustDelta` is no number"),
        (json!({ "trustDelta": -100.5 }), "`trustDelta` is -100.5, and a change is from -100 to 100"),
    ] {
        assert_eq!(why(run(traces.clone(), Some(wrong), None)), format!("the relationship: {told}"));
    }
    let config = json!({ "traces": [], "config": { "maxDelta": 0.1 } });
    assert_eq!(why(run(config, None, None)), "the config: there is no `maxDelta`; did you mean `maxDeltaPerCycle`?");
}

/// What the peer was recorded to say, asked through the whole engine.
#[test]
fn drift_is_what_the_cases_say() {
    let cases = include_str!("../../../../../conformance/hexaco-drift.json");
    let cases: Vec<serde_json::Value> = serde_json::from_str(cases).unwrap();
    for case in cases {
        let place = Place::new();
        fs::write(place.home.soul(), format!("---\nname: Coder\nhexaco: {}\n---\nYou code.\n", case["traits"]))
            .unwrap();
        let request = drift::Request { agent: coder(), traces: case.clone(), relationship: None, apply: None };
        let found = drift::run(&place.keeper(), request).unwrap().proposals;
        let told =
            found.iter().map(|one| (one.trait_.short().to_owned(), one.delta, one.confidence)).collect::<Vec<_>>();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let want = case["expect"].as_array().unwrap().iter();
        let want = want
            .map(|one| (one["trait"].as_str().unwrap().to_owned(), number(&one["delta"]), number(&one["confidence"])));
        assert_eq!(told, want.collect::<Vec<_>>(), "{}", case["id"]);
    }
}

#[test]
fn a_relationship_that_is_given_wins_over_the_one_of_the_traces() {
    let place = Place::new();
    place.home.config("[persona.drift]\nmin_traces = 5\nmax_delta = 0.1\n");
    let traces =
        json!({ "traces": vec![json!({ "valence": 0, "arousal": 0.5 }); 5], "relationship": { "trustDelta": -100 } });
    let run = |relationship| {
        let request = drift::Request { agent: coder(), traces: traces.clone(), relationship, apply: None };
        drift::run(&place.keeper(), request).unwrap().proposals
    };
    assert_eq!(run(None)[0].trait_, Trait::HonestyHumility);
    assert_eq!(run(Some(json!({ "relationship": { "respectDelta": 100 } })))[0].trait_, Trait::Conscientiousness);
    assert_eq!(run(Some(json!({ "trustDelta": 0 }))), []);
}
