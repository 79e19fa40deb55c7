//! Where a persona shows: prompts, sessions, cards, the wire.

use super::*;

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
