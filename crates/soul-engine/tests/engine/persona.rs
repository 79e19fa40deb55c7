//! What becomes of a persona, where it shows, and how it is taken back.

use std::fmt::Debug;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use soul_core::persona::{Clamp, Pad, Trait};
use soul_engine::Keeper;
use soul_engine::clock::Time;
use soul_engine::ids::SessionId;
use soul_engine::ops::persona::{adapt, drift, history, mood, overlay, revert, show};
use soul_engine::ops::session::{refresh, spawn, start};
use soul_engine::ops::{Error, Kind, Subject, boot, context, prompt};
use soul_engine::workspace::Target;

use super::{Home, asker, coder, digest};

const DAY: i64 = 86_400;

const SOUL: &str = "---\nname: Coder\nhexaco:\n  honesty: 0.9\n  openness: 0.6\ndefaultMood: neutral\n\
    allowedMoods: [neutral, focused, frustrated]\nhardLimits: [Never guess.]\n---\nYou code.\n";

/// A home whose agent has a persona, and a clock that is set by hand.
struct Place {
    home: Home,
    now: Arc<AtomicI64>,
}

impl Place {
    fn new() -> Self {
        let home = Home::new();
        fs::write(home.soul(), SOUL).unwrap();
        Self { home, now: Arc::new(AtomicI64::new(20_000 * DAY)) }
    }

    /// A keeper that knows nothing but what is on the disk.
    fn keeper(&self) -> Keeper {
        let now = Arc::clone(&self.now);
        self.home.keeper().with_clock(Arc::new(move || Time::of_seconds(now.load(Ordering::SeqCst))))
    }

    fn pass(&self, seconds: i64) {
        self.now.fetch_add(seconds, Ordering::SeqCst);
    }

    fn adapt(&self, of: &str, delta: f64, session: &str) -> adapt::Response {
        let (of, session) = (of.to_owned(), Some(session.to_owned()));
        let request = adapt::Request { agent: coder(), of, delta, reason: "because".into(), session, asker: asker() };
        adapt::run(&self.keeper(), request).unwrap()
    }

    fn mood(&self, change: mood::Change) -> Result<mood::Response, Error> {
        mood::run(&self.keeper(), mood::Request { agent: coder(), change: Some((change, asker())) })
    }

    fn revert(&self, to: Option<&str>) -> revert::Response {
        let to = to.map(|to| to.to_owned().into());
        revert::run(&self.keeper(), revert::Request { agent: coder(), to, asker: asker() }).unwrap()
    }

    fn show(&self) -> show::Response {
        show::run(&self.keeper(), show::Request { agent: coder() }).unwrap()
    }

    fn openness(&self) -> f64 {
        self.show().effective.get(Trait::Openness).unwrap()
    }

    fn history(&self) -> Vec<history::Entry> {
        let request = history::Request { agent: coder(), limit: 99, cursor: None };
        history::run(&self.keeper(), request).unwrap().mutations
    }

    fn prompt(&self, subject: Subject) -> prompt::Response {
        let part = prompt::Part::Full(Box::default());
        prompt::run(&self.keeper(), prompt::Request { subject, base: None, part }).unwrap()
    }

    /// The prompt of the agent as it is now.
    fn now_told(&self) -> prompt::Response {
        self.prompt(Subject::Target(Target::Agent(coder()), None))
    }

    fn begin(&self) -> SessionId {
        let request = start::Request { runs: start::Runs::Agent(coder()), asker: asker() };
        start::run(&self.keeper(), request).unwrap().response.session.id
    }
}

#[test]
fn a_budget_outlives_the_process_and_a_step_that_moves_nothing_leaves_no_trace() {
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
fn a_step_that_makes_no_sense_is_refused() {
    let place = Place::new();
    let run = |of: &str, delta: f64, reason: &str, session: Option<String>| {
        let (of, reason) = (of.to_owned(), reason.to_owned());
        adapt::run(&place.keeper(), adapt::Request { agent: coder(), of, delta, reason, session, asker: asker() })
    };
    assert!(matches!(run("charm", f64::NAN, "", None), Err(Error::UnknownTrait(_, None))));
    assert!(matches!(run("Openness", 0.1, "x", None), Err(Error::UnknownTrait(_, Some(Trait::Openness)))));
    assert!(matches!(run("openness", f64::NAN, " ", None), Err(Error::BadReason)));
    assert!(matches!(run("openness", 0.1, &"x".repeat(5000), None), Err(Error::BadReason)));
    assert!(matches!(run("openness", f64::NEG_INFINITY, "x", None), Err(Error::NotFinite(_))));
    assert!(matches!(run("openness", 0.1, "x", Some("s".repeat(300))), Err(Error::BadSession)));
    assert_eq!(place.history(), []);
    // Whoever names no session shares one budget with all who do not.
    assert_eq!(run("openness", 0.1, "x", None).unwrap().adapted.session_total, 0.1);
    assert!(matches!(run("openness", 0.01, "x", Some(" ".into())), Err(Error::BadSession)));
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
    // What the next step lets go of changes nothing that is told.
    place.adapt("honesty", -0.1, "c");
    assert_eq!((place.openness(), place.history().len()), (0.6, 3));
}

#[test]
fn a_persona_reaches_one_layer_and_goes_back_to_the_byte() {
    let place = Place::new();
    let (before, named) = (place.now_told(), digest(&place.keeper()));
    let changed = |after: &prompt::Response| {
        let pairs = before.layers.iter().zip(&after.layers);
        pairs.filter(|(a, b)| a != b).map(|(layer, _)| layer.name.clone()).collect::<Vec<_>>()
    };
    let step = place.adapt("openness", 0.1, "a").mutation_id.unwrap();
    let stepped = place.now_told();
    assert_eq!(changed(&stepped), ["traits"]);
    place.mood(mood::Change::Set("focused".into())).unwrap();
    place.adapt("honesty", -0.15, "a");
    place.adapt("honesty", -0.15, "b");
    let moved = place.now_told();
    assert_eq!(changed(&moved), ["traits"]);
    assert!(moved.text.contains("Your mood: focused") && !before.text.contains("focused"));
    assert_eq!(digest(&place.keeper()), named);
    let back = place.revert(Some(step.as_str()));
    assert_eq!((back.reverted.len(), back.mood.current.as_deref()), (2, Some("focused")));
    place.mood(mood::Change::Set("neutral".into())).unwrap();
    assert_eq!(place.now_told(), stepped);
    place.mood(mood::Change::Set("focused".into())).unwrap();
    place.revert(None);
    assert_eq!(place.now_told(), before);
    // A file that is pointed at stands alone.
    place.adapt("openness", 0.1, "z");
    assert_eq!(place.prompt(Subject::Target(Target::Path(place.home.soul()), None)).layers[5], before.layers[5]);
}

#[test]
fn a_session_keeps_the_persona_that_it_started_with() {
    let place = Place::new();
    place.adapt("openness", 0.1, "a");
    let session = place.begin();
    let before = place.prompt(Subject::Session(session.clone()));
    assert_eq!(before.layers[5].text, place.now_told().layers[5].text);
    place.mood(mood::Change::Set("frustrated".into())).unwrap();
    place.adapt("openness", -0.05, "a");
    assert_eq!(place.prompt(Subject::Session(session.clone())), before);
    let told = |subject| context::run(&place.keeper(), subject).unwrap().soul.persona.unwrap();
    assert_eq!(told(Subject::Session(session.clone())).mood.as_deref(), Some("neutral"));
    assert_eq!(told(Subject::Target(Target::Agent(coder()), None)).mood.as_deref(), Some("frustrated"));
    let request = spawn::Request { parent: session.clone(), agent: coder(), asker: asker() };
    let child = spawn::run(&place.keeper(), request).unwrap().response.session;
    assert_eq!(child.persona.unwrap().mood.as_deref(), Some("frustrated"));
    let request = refresh::Request { session: session.clone(), expected_digest: None, asker: asker() };
    let refreshed = refresh::run(&place.keeper(), request).unwrap().response.session;
    // The soul is the same, so the snapshot is: only the row knows better.
    assert_eq!(refreshed.soul_snapshot_id, child.soul_snapshot_id);
    assert_eq!(place.prompt(Subject::Session(session)).layers[5].text, place.now_told().layers[5].text);
    assert_eq!(refreshed.persona.unwrap().traits.get(Trait::Openness), Some(place.openness()));
}

#[test]
fn moods_are_those_that_are_allowed_and_pass() {
    let place = Place::new();
    match place.mood(mood::Change::Set("gloomy".into())) {
        Err(Error::MoodNotAllowed(_, allowed)) => assert_eq!(allowed, ["neutral", "focused", "frustrated"]),
        other => panic!("{other:?}"),
    }
    let nowhere = Pad { valence: f64::NAN, arousal: 0.0, dominance: 0.0 };
    assert!(matches!(place.mood(mood::Change::Event(nowhere)), Err(Error::NotFinite(_))));
    let blow = Pad { valence: -0.9, arousal: 0.7, dominance: 0.0 };
    assert_eq!(place.mood(mood::Change::Event(blow)).unwrap().current.as_deref(), Some("frustrated"));
    assert_eq!(place.show().mood.current.as_deref(), Some("frustrated"));
    place.pass(3 * DAY);
    let shown = place.show().mood;
    assert_eq!((shown.current.as_deref(), shown.default.as_deref()), (Some("neutral"), Some("neutral")));
    // An author who forbids the mood ends it at once.
    place.mood(mood::Change::Set("focused".into())).unwrap();
    fs::write(place.home.soul(), SOUL.replace("focused, ", "")).unwrap();
    assert_eq!(place.show().mood.current.as_deref(), Some("neutral"));
}

#[test]
fn overlays_lie_over_each_other_and_end() {
    let place = Place::new();
    let lay = |rules: serde_json::Value, context: serde_json::Value| {
        let change = overlay::Change::Lay { rules, context, seconds: 3600 };
        overlay::run(&place.keeper(), overlay::Request { agent: coder(), change: Some((change, asker())) })
    };
    let rules = json!([
        { "id": "bold", "trigger": "error", "patch": { "personaTraits": { "openness": 0.8 }, "mood": "frustrated" } },
        { "id": "plain", "trigger": "always", "patch": { "personaTraits": { "honesty": 0.1 }, "mood": "gloomy", "metadata": { "k": [1] } } },
        { "id": "welcome", "trigger": "first_activation", "patch": { "mood": "focused" } },
    ]);
    let laid = lay(rules.clone(), json!({ "metadata": { "lastEvent": "error" } })).unwrap();
    assert_eq!(laid.applied.unwrap(), ["bold", "plain", "welcome"]);
    assert_eq!((laid.not_allowed.len(), &laid.overlays[1].metadata["k"]), (1, &json!([1])));
    let shown = place.show();
    assert_eq!((place.openness(), shown.mood.current.as_deref()), (0.8, Some("focused")));
    // No overlay goes farther from what is written than anything else.
    assert!((shown.effective.get(Trait::HonestyHumility).unwrap() - 0.6).abs() < 1e-12);
    place.pass(1800);
    assert_eq!(lay(rules, json!(null)).unwrap().applied.unwrap(), ["plain"]);
    place.pass(1801);
    let left = overlay::run(&place.keeper(), overlay::Request { agent: coder(), change: None }).unwrap().overlays;
    assert_eq!(left.iter().map(|laid| laid.rule.as_str()).collect::<Vec<_>>(), ["plain"]);
    assert_eq!((place.openness(), place.show().mood.current.as_deref()), (0.6, Some("neutral")));
    let clear = Some((overlay::Change::Clear, asker()));
    let request = overlay::Request { agent: coder(), change: clear };
    assert_eq!(overlay::run(&place.keeper(), request).unwrap().overlays, []);
    let patched = |patch: serde_json::Value| json!([{ "id": "a", "trigger": "always", "patch": patch }]);
    for (wrong, why) in [
        (json!(1), "they are no list"),
        (json!([{ "id": 1 }]), "rule 1: its `id` is no name"),
        (json!([{ "id": " ", "trigger": "x" }]), "rule 1: its `id` is no name"),
        (json!([{ "id": "a", "triger": "x" }]), "rule 1: there is no `triger`; did you mean `trigger`?"),
        (json!([{ "id": "a", "trigger": 7 }]), "rule 1: its `trigger` is neither a word nor an object of values"),
        (
            patched(json!({ "traits": {} })),
            "rule 1: in its `patch`, there is no `traits`; did you mean `personaTraits`?",
        ),
        (
            patched(json!({ "personaTraits": { "opennes": 0.1 } })),
            "rule 1: there is no `opennes`; did you mean `openness`?",
        ),
        (patched(json!({ "personaTraits": { "openness": "0.1" } })), "rule 1: `openness` is no number"),
        (patched(json!({ "mood": 7 })), "rule 1: its `mood` is no text"),
    ] {
        match lay(wrong, json!(null)) {
            Err(Error::BadInput(what, told)) => assert_eq!((&*what, told.as_str()), ("the rules", why)),
            other => panic!("{other:?}"),
        }
    }
    let twice = json!([{ "id": "a", "trigger": "x" }, { "id": "a", "trigger": "y" }]);
    assert!(matches!(lay(twice, json!(null)), Err(Error::BadInput(what, _)) if what == "the rules"));
    assert!(matches!(lay(json!([]), json!([])), Err(Error::BadInput(what, _)) if what == "the context"));
}

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
    let cases = include_str!("../../../../conformance/hexaco-drift.json");
    let cases: Vec<serde_json::Value> = serde_json::from_str(cases).unwrap();
    for case in cases {
        let place = Place::new();
        fs::write(place.home.soul(), format!("---\nname: Coder\nhexaco: {}\n---\nYou code.\n", case["traits"]))
            .unwrap();
        let request = drift::Request { agent: coder(), traces: case.clone(), relationship: None, apply: None };
        let found = drift::run(&place.keeper(), request).unwrap().proposals;
        let told = found.iter().map(|one| (one.of.short().to_owned(), one.delta, one.confidence)).collect::<Vec<_>>();
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
    assert_eq!(run(None)[0].of, Trait::HonestyHumility);
    assert_eq!(run(Some(json!({ "relationship": { "respectDelta": 100 } })))[0].of, Trait::Conscientiousness);
    assert_eq!(run(Some(json!({ "trustDelta": 0 }))), []);
}

#[test]
fn six_files_and_one_json_are_the_same_persona() {
    let place = Place::new();
    fs::write(
        place.home.soul(),
        SOUL.replace("name: Coder", "name: Coder\nagentId: coder\nrole: Codes\nvoice: {provider: p, voiceId: v}"),
    )
    .unwrap();
    fs::write(place.home.agent().join("STYLE.md"), "Short.\n").unwrap();
    let six = place.show();
    fs::remove_file(place.home.soul()).unwrap();
    let persona = json!({
        "id": "coder", "name": "Coder", "description": "Codes", "version": "1.0.0", "baseSystemPrompt": "You code.",
        "personalityTraits": { "honestyHumility": 0.9, "openness": 0.6 },
        "moodAdaptation": { "enabled": true, "defaultMood": "neutral", "allowedMoods": ["neutral", "focused", "frustrated"] },
        "voiceConfig": { "provider": "p", "voiceId": "v" },
        "hardLimits": ["Never guess."],
    });
    fs::write(place.home.agent().join("persona.json"), persona.to_string()).unwrap();
    assert_eq!(place.show(), six);
    assert_eq!(
        (six.hard_limits.as_slice(), six.voice.unwrap()["voiceId"].as_str()),
        (&["Never guess.".to_owned()][..], Some("v"))
    );
    assert!(six.identity_card.starts_with("# Coder\n"));
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.new, 0.7);
}

#[test]
fn a_soul_without_traits_is_no_reason_to_worry() {
    let place = Place::new();
    fs::write(place.home.soul(), "---\nrole: Plain\n---\nYou are plain.\n").unwrap();
    let shown = place.show();
    assert!(shown.baseline.is_empty() && shown.effective.is_empty());
    assert_eq!((shown.mood.current, shown.voice), (None, None));
    assert_eq!(shown.identity_card, "# coder\n\nPlain\n\n- Agent ID: coder");
    let compact = context::run(&place.keeper(), Subject::Target(Target::Agent(coder()), None)).unwrap();
    assert_eq!(compact.soul.persona, None);
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.previous, 0.5);
    fs::remove_file(place.home.soul()).unwrap();
    assert_eq!(place.show().effective.get(Trait::Openness), Some(0.6));
    let refused = place.mood(mood::Change::Set("curious".into())).unwrap_err();
    assert_eq!((refused.code(), refused.kind()), ("no_soul", Kind::Conflict));
    fs::write(place.home.soul(), "---\ntools: x\n---\n").unwrap();
    assert!(matches!(show::run(&place.keeper(), show::Request { agent: coder() }), Err(Error::Invalid(_))));
}

#[test]
fn an_agent_is_itself_on_a_soul_of_the_library_too() {
    let place = Place::new();
    fs::remove_file(place.home.soul()).unwrap();
    place.home.config("[agents.soul]\nfallback = \"library\"\n");
    place.mood(mood::Change::Set("curious".into())).unwrap();
    let session = place.begin();
    assert!(place.prompt(Subject::Session(session)).text.contains("Your mood: curious"));
    let request = start::Request { runs: start::Runs::Selected, asker: asker() };
    let nobody = start::run(&place.keeper(), request).unwrap().response.session;
    assert_eq!(nobody.persona, None);
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

/// What goes over a wire comes out as it went in.
#[test]
fn requests_and_answers_survive_json() {
    fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        assert_eq!(serde_json::from_str::<T>(&serde_json::to_string(value).unwrap()).unwrap(), *value);
    }
    fn twice<T: Serialize + DeserializeOwned>(value: &T) {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::to_string(&serde_json::from_str::<T>(&text).unwrap()).unwrap(), text);
    }
    let place = Place::new();
    same(&place.adapt("honesty", -0.1, "s"));
    same(&place.adapt("honesty", -0.1, "s"));
    same(&place.mood(mood::Change::Event(Pad { valence: -0.9, arousal: 0.7, dominance: 0.1 })).unwrap());
    same(&place.show());
    same(&history::Response { mutations: place.history(), next_cursor: None });
    let traces = json!(vec![json!({ "valence": -0.6, "arousal": 0.7 }); 11]);
    let apply = Some(drift::Apply { session: None, asker: asker() });
    let request = drift::Request { agent: coder(), traces, relationship: Some(json!({ "trustDelta": -50 })), apply };
    twice(&request);
    same(&drift::run(&place.keeper(), request).unwrap());
    let rules = json!([{ "id": "a", "trigger": "always", "patch": { "mood": "focused", "personaTraits": { "openness": 0.7 } } }]);
    let change = overlay::Change::Lay { rules, context: json!(null), seconds: 60 };
    let request = overlay::Request { agent: coder(), change: Some((change, asker())) };
    twice(&request);
    same(&overlay::run(&place.keeper(), request).unwrap());
    twice(&mood::Request { agent: coder(), change: Some((mood::Change::Set("calm".into()), asker())) });
    same(&place.revert(None));
    assert!(serde_json::from_value::<show::Request>(json!({ "agent": "../x" })).is_err());
}

#[test]
fn souls_that_are_switched_off_are_said_to_be() {
    let place = Place::new();
    assert!(!place.adapt("openness", 0.1, "a").inactive);
    place.home.config("[agents.soul]\nenabled = false\n");
    assert!(place.adapt("openness", 0.05, "a").inactive);
    assert!(place.mood(mood::Change::Set("focused".into())).unwrap().inactive);
    let request = overlay::Request { agent: coder(), change: None };
    assert!(overlay::run(&place.keeper(), request).unwrap().inactive);
}

#[test]
fn what_an_overlay_covers_is_said_to_be() {
    let place = Place::new();
    let patch = json!({ "personaTraits": { "openness": 0.5 }, "mood": "frustrated" });
    let rules = json!([{ "id": "a", "trigger": "always", "patch": patch }]);
    let change = overlay::Change::Lay { rules, context: json!(null), seconds: 60 };
    overlay::run(&place.keeper(), overlay::Request { agent: coder(), change: Some((change, asker())) }).unwrap();
    assert_eq!((place.adapt("openness", 0.1, "a").overlaid, place.adapt("honesty", 0.1, "a").overlaid), (true, false));
    let set = place.mood(mood::Change::Set("focused".into())).unwrap();
    assert_eq!((set.current.as_deref(), set.overlaid), (Some("frustrated"), true));
    place.pass(61);
    let shown = place.show().mood;
    assert_eq!((shown.current.as_deref(), shown.overlaid), (Some("focused"), false));
    assert!(!place.adapt("openness", 0.01, "b").overlaid);
}

#[test]
fn moods_that_are_switched_off_stay() {
    let place = Place::new();
    let persona = json!({
        "id": "coder", "name": "Coder", "description": "Codes", "version": "1.0.0", "baseSystemPrompt": "You code.",
        "moodAdaptation": { "enabled": false, "defaultMood": "neutral", "allowedMoods": ["neutral", "focused"] },
        "voiceConfig": { "provider": "p", "customParams": { "pitch": 2 } },
        "avatarConfig": { "type": "x", "moodToAvatarStateMap": { "neutral": "idle" } },
    });
    place.mood(mood::Change::Set("focused".into())).unwrap();
    fs::remove_file(place.home.soul()).unwrap();
    fs::write(place.home.agent().join("persona.json"), persona.to_string()).unwrap();
    let refused = place.mood(mood::Change::Set("focused".into())).unwrap_err();
    assert_eq!((refused.code(), refused.kind()), ("moods_off", Kind::Invalid));
    assert!(matches!(place.mood(mood::Change::Event(Pad::default())), Err(Error::MoodsOff(_))));
    let shown = place.show();
    assert_eq!(shown.mood.current.as_deref(), Some("neutral"));
    // Nothing that only JSON can say is dropped.
    assert_eq!(shown.voice.unwrap()["customParams"], json!({ "pitch": 2 }));
    assert_eq!(shown.avatar.unwrap()["moodToAvatarStateMap"]["neutral"], "idle");
}

#[test]
fn limits_and_card_are_those_of_the_prompt_and_of_boot() {
    let place = Place::new();
    fs::write(place.home.agent().join("RULES.md"), "# Rules\n\n- Never push\n  to main.\n- Ask.\n").unwrap();
    assert_eq!(place.show().hard_limits, ["Never push to main.", "Ask.", "Never guess."]);
    let layers = place.now_told().layers;
    let limits = layers.iter().find(|layer| layer.name == "limits").unwrap();
    assert!(limits.text.contains("\nThese limits hold over everything that follows.\n\nFrom RULES.md:\n"));
    let card = || {
        let request = boot::Request { target: Target::Agent(coder()), dialect: None };
        boot::run(&place.keeper(), request).unwrap().identity_card.text
    };
    assert_eq!(place.show().identity_card, card());
    fs::write(place.home.soul(), "---\nrole: Plain\n---\nYou are plain.\n").unwrap();
    assert_eq!(place.show().identity_card, card());
    fs::write(place.home.agent().join("IDENTITY.md"), "# A card\n").unwrap();
    assert_eq!(place.show().identity_card, "# A card");
}
