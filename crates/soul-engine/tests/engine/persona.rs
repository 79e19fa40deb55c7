//! What becomes of a persona, where it shows, and how it is taken back.

use std::fmt::Debug;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use soul_core::persona::{Pad, Trait};
use soul_engine::Keeper;
use soul_engine::clock::Time;
use soul_engine::ids::SessionId;
use soul_engine::ops::persona::{adapt, drift, history, mood, overlay, revert, show};
use soul_engine::ops::session::{refresh, spawn, start};
use soul_engine::ops::{Error, Subject, context, prompt};
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
    assert!(second.clamped && second.remaining_budget == 0.0);
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
    assert_eq!(place.adapt("openness", 0.15, "v").mutation_id, None);
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
    assert_eq!(run("openness", 0.01, "x", Some(" ".into())).unwrap().adapted.session_total, 0.11);
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
        { "id": "plain", "trigger": "always", "patch": { "personaTraits": { "honesty": 0.1, "charm": 1 }, "mood": "gloomy" } },
        { "id": "welcome", "trigger": "first_activation", "patch": { "mood": "focused" } },
    ]);
    let laid = lay(rules.clone(), json!({ "metadata": { "lastEvent": "error" } })).unwrap();
    assert_eq!(laid.applied.unwrap(), ["bold", "plain", "welcome"]);
    assert_eq!(laid.not_allowed.len(), 1);
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
    for wrong in [json!(1), json!([{ "id": 1 }]), json!([{ "id": "a", "trigger": 7 }])] {
        assert!(matches!(lay(wrong, json!(null)), Err(Error::BadInput(what, _)) if what == "the rules"));
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
    for wrong in [json!(7), json!({}), json!([1]), json!({ "traces": "x" })] {
        assert!(matches!(run(wrong, None, None), Err(Error::BadInput(what, _)) if what == "the traces"));
    }
    assert!(matches!(run(traces, Some(json!("x")), None), Err(Error::BadInput(what, _)) if what == "the relationship"));
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
    assert!(six.identity_card.unwrap().starts_with("# Coder\n"));
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.new, 0.7);
}

#[test]
fn a_soul_without_traits_is_no_reason_to_worry() {
    let place = Place::new();
    fs::write(place.home.soul(), "---\nrole: Plain\n---\nYou are plain.\n").unwrap();
    let shown = place.show();
    assert!(shown.baseline.is_empty() && shown.effective.is_empty());
    assert_eq!((shown.mood.current, shown.voice, shown.identity_card), (None, None, None));
    let compact = context::run(&place.keeper(), Subject::Target(Target::Agent(coder()), None)).unwrap();
    assert_eq!(compact.soul.persona, None);
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.previous, 0.5);
    fs::remove_file(place.home.soul()).unwrap();
    assert_eq!(place.show().effective.get(Trait::Openness), Some(0.6));
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
