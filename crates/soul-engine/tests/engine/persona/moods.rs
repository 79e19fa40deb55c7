//! Moods and overlays.

use super::*;

#[test]
fn a_mood_must_be_allowed_and_fades() {
    let place = Place::new();
    match place.set_mood("gloomy") {
        Err(Error::Persona(PersonaError::MoodNotAllowed { allowed, .. })) => {
            assert_eq!(allowed, ["neutral", "focused", "frustrated"])
        }
        other => panic!("{other:?}"),
    }
    let nowhere = Pad { valence: f64::NAN, arousal: 0.0, dominance: 0.0 };
    assert!(matches!(place.move_mood(nowhere), Err(Error::Persona(PersonaError::NotFinite(_)))));
    let blow = Pad { valence: -0.9, arousal: 0.7, dominance: 0.0 };
    assert_eq!(place.move_mood(blow).unwrap().current.as_deref(), Some("frustrated"));
    assert_eq!(place.show().mood.current.as_deref(), Some("frustrated"));
    place.pass(3 * DAY);
    let shown = place.show().mood;
    assert_eq!((shown.current.as_deref(), shown.default.as_deref()), (Some("neutral"), Some("neutral")));
    // An author who forbids the mood ends it at once.
    place.set_mood("focused").unwrap();
    fs::write(place.home.soul(), SOUL.replace("focused, ", "")).unwrap();
    assert_eq!(place.show().mood.current.as_deref(), Some("neutral"));
}

#[test]
fn overlays_cover_each_other_and_expire() {
    let place = Place::new();
    let lay = |rules, context| place.overlay(rules, context, 3600);
    let rules = json!([
        { "id": "bold", "trigger": "error", "patch": { "personaTraits": { "openness": 0.8 }, "mood": "frustrated" } },
        { "id": "plain", "trigger": "always", "patch": { "personaTraits": { "honesty": 0.1 }, "mood": "gloomy", "metadata": { "k": [1] } } },
        { "id": "welcome", "trigger": "first_activation", "patch": { "mood": "focused" } },
    ]);
    let laid = lay(rules.clone(), Some(json!({ "metadata": { "lastEvent": "error" } }))).unwrap();
    assert_eq!(laid.applied.unwrap(), ["bold", "plain", "welcome"]);
    assert_eq!((laid.not_allowed.len(), &laid.overlays[1].metadata["k"]), (1, &json!([1])));
    let shown = place.show();
    assert_eq!((place.openness(), shown.mood.current.as_deref()), (0.8, Some("focused")));
    // No overlay goes farther from what is written than anything else.
    assert!((shown.effective.get(Trait::HonestyHumility).unwrap() - 0.6).abs() < 1e-12);
    place.pass(1800);
    assert_eq!(lay(rules, None).unwrap().applied.unwrap(), ["plain"]);
    place.pass(1801);
    let left = place.run(overlays()).unwrap().overlays;
    assert_eq!(left.iter().map(|laid| laid.rule.as_str()).collect::<Vec<_>>(), ["plain"]);
    assert_eq!((place.openness(), place.show().mood.current.as_deref()), (0.6, Some("neutral")));
    let cleared = place.run(overlay::Request { clear: true, ..overlays() });
    assert_eq!(cleared.unwrap().overlays, []);
    let patched = |patch: Value| json!([{ "id": "a", "trigger": "always", "patch": patch }]);
    for (wrong, why) in [
        (json!(1), "it is not a list"),
        (json!([{ "id": 1 }]), "rule 1: its `id` is not a name"),
        (json!([{ "id": " ", "trigger": "x" }]), "rule 1: its `id` is not a name"),
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
        (patched(json!({ "personaTraits": { "openness": "0.1" } })), "rule 1: `openness` is not a number"),
        (patched(json!({ "mood": 7 })), "rule 1: its `mood` is not a text"),
    ] {
        match lay(wrong, None) {
            Err(Error::Persona(PersonaError::BadInput(what, found))) => {
                assert_eq!((what, found.as_str()), ("the rules", why))
            }
            other => panic!("{other:?}"),
        }
    }
    let twice = json!([{ "id": "a", "trigger": "x" }, { "id": "a", "trigger": "y" }]);
    assert!(matches!(lay(twice, None), Err(Error::Persona(PersonaError::BadInput(what, _))) if what == "the rules"));
    assert!(
        matches!(lay(json!([]), Some(json!([]))), Err(Error::Persona(PersonaError::BadInput(what, _))) if what == "the context")
    );
}

#[test]
fn a_change_that_an_overlay_covers_is_reported() {
    let place = Place::new();
    let patch = json!({ "personaTraits": { "openness": 0.5 }, "mood": "frustrated" });
    let rules = json!([{ "id": "a", "trigger": "always", "patch": patch }]);
    place.overlay(rules, None, 60).unwrap();
    assert_eq!((place.adapt("openness", 0.1, "a").overlaid, place.adapt("honesty", 0.1, "a").overlaid), (true, false));
    let set = place.set_mood("focused").unwrap();
    assert_eq!((set.current.as_deref(), set.overlaid), (Some("frustrated"), true));
    place.pass(61);
    let shown = place.show().mood;
    assert_eq!((shown.current.as_deref(), shown.overlaid), (Some("focused"), false));
    assert!(!place.adapt("openness", 0.01, "b").overlaid);
}

#[test]
fn a_mood_that_is_switched_off_does_not_change() {
    let place = Place::new();
    let persona = json!({
        "id": "coder", "name": "Coder", "description": "Codes", "version": "1.0.0", "baseSystemPrompt": "You code.",
        "moodAdaptation": { "enabled": false, "defaultMood": "neutral", "allowedMoods": ["neutral", "focused"] },
        "voiceConfig": { "provider": "p", "customParams": { "pitch": 2 } },
        "avatarConfig": { "type": "x", "moodToAvatarStateMap": { "neutral": "idle" } },
    });
    place.set_mood("focused").unwrap();
    fs::remove_file(place.home.soul()).unwrap();
    fs::write(place.home.agent().join("persona.json"), persona.to_string()).unwrap();
    let refused = place.set_mood("focused").unwrap_err();
    assert_eq!((refused.fault().code, refused.fault().kind), ("moods_off", Kind::Invalid));
    assert!(matches!(place.move_mood(Pad::default()), Err(Error::Persona(PersonaError::MoodsOff(_)))));
    let shown = place.show();
    assert_eq!(shown.mood.current.as_deref(), Some("neutral"));
    // Nothing that only JSON can say is dropped.
    assert_eq!(shown.voice.unwrap()["customParams"], json!({ "pitch": 2 }));
    assert_eq!(shown.avatar.unwrap()["moodToAvatarStateMap"]["neutral"], "idle");
}
