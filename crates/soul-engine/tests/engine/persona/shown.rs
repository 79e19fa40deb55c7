//! Where a persona shows: prompts, sessions, cards, the wire.

use super::*;

/// The text of the layer that tells traits and mood.
fn traits(response: &prompt::Response) -> String {
    response.layers.iter().find(|layer| layer.name == "traits").unwrap().text.clone()
}

#[test]
fn a_persona_reaches_one_layer_and_goes_back_to_the_byte() {
    let place = Place::new();
    let (before, named) = (place.current_prompt(), digest(&place.keeper()));
    let changed = |after: &prompt::Response| {
        let pairs = before.layers.iter().zip(&after.layers);
        pairs.filter(|(a, b)| a != b).map(|(layer, _)| layer.name.clone()).collect::<Vec<_>>()
    };
    let step = place.adapt("openness", 0.1, "a").mutation_id.unwrap();
    let stepped = place.current_prompt();
    assert_eq!(changed(&stepped), ["traits"]);
    place.set_mood("focused").unwrap();
    place.adapt("honesty", -0.15, "a");
    place.adapt("honesty", -0.15, "b");
    let moved = place.current_prompt();
    assert_eq!(changed(&moved), ["traits"]);
    assert!(moved.text.contains("Your mood: focused") && !before.text.contains("focused"));
    assert_eq!(digest(&place.keeper()), named);
    let back = place.revert(Some(step.as_str()));
    assert_eq!((back.reverted.len(), back.mood.current.as_deref()), (2, Some("focused")));
    place.set_mood("neutral").unwrap();
    assert_eq!(place.current_prompt(), stepped);
    place.set_mood("focused").unwrap();
    place.revert(None);
    assert_eq!(place.current_prompt(), before);
    // A file that is pointed at stands alone.
    place.adapt("openness", 0.1, "z");
    assert_eq!(traits(&place.prompt(Subject::Target(Target::Path(place.home.soul())))), traits(&before));
}

#[test]
fn a_session_keeps_the_persona_that_it_started_with() {
    let place = Place::new();
    place.adapt("openness", 0.1, "a");
    let session = place.begin();
    let before = place.prompt(Subject::Session(session.clone()));
    assert_eq!(traits(&before), traits(&place.current_prompt()));
    place.set_mood("frustrated").unwrap();
    place.adapt("openness", -0.05, "a");
    assert_eq!(place.prompt(Subject::Session(session.clone())), before);
    let persona = |subject| place.run(context::Request { subject, dialect: None }).unwrap().soul.persona.unwrap();
    assert_eq!(persona(Subject::Session(session.clone())).mood.as_deref(), Some("neutral"));
    assert_eq!(persona(Subject::Target(Target::Agent(coder()))).mood.as_deref(), Some("frustrated"));
    let request = spawn::Request { parent_id: session.clone(), agent: coder() };
    let child = place.run(request).unwrap().response.session;
    assert_eq!(child.persona.unwrap().mood.as_deref(), Some("frustrated"));
    let request = refresh::Request { session_id: session.clone(), expected_digest: None };
    let refreshed = place.run(request).unwrap().response.session;
    // The soul is the same, so the snapshot is: only the row knows better.
    assert_eq!(refreshed.soul_snapshot_id, child.soul_snapshot_id);
    assert_eq!(traits(&place.prompt(Subject::Session(session))), traits(&place.current_prompt()));
    assert_eq!(refreshed.persona.unwrap().traits.get(Trait::Openness), Some(place.openness()));
}

#[test]
fn the_prompt_of_a_mood_is_told_while_it_lasts() {
    let place = Place::new();
    let kept = "persona:\n  moodAdaptation:\n    moodPrompts: {neutral: Stay level., focused: One thing at a time.}\n";
    fs::write(place.home.soul(), SOUL.replacen("---\n", &format!("---\n{kept}"), 1)).unwrap();
    assert!(traits(&place.current_prompt()).contains("Your mood: neutral\nStay level.\n"));
    place.set_mood("focused").unwrap();
    assert!(traits(&place.current_prompt()).contains("Your mood: focused\nOne thing at a time.\n"));
    let session = place.begin();
    // The session tells what its snapshot says, whatever becomes of the file and the mood.
    fs::write(place.home.soul(), SOUL).unwrap();
    place.set_mood("neutral").unwrap();
    let told = traits(&place.prompt(Subject::Session(session)));
    assert!(told.contains("Your mood: focused\nOne thing at a time.\n"), "{told}");
    assert!(!traits(&place.current_prompt()).contains("Stay level."));
    fs::remove_file(place.home.soul()).unwrap();
    let persona = json!({
        "id": "coder", "name": "Coder", "description": "Codes", "version": "1.0.0", "baseSystemPrompt": "You code.",
        "moodAdaptation": { "enabled": true, "defaultMood": "neutral", "moodPrompts": { "neutral": "Stay level." } },
    });
    fs::write(place.home.agent().join("persona.json"), persona.to_string()).unwrap();
    assert!(traits(&place.current_prompt()).contains("Your mood: neutral\nStay level.\n"));
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
fn a_soul_without_traits_has_an_empty_persona() {
    let place = Place::new();
    fs::write(place.home.soul(), "---\nrole: Plain\n---\nYou are plain.\n").unwrap();
    let shown = place.show();
    assert!(shown.baseline.is_empty() && shown.effective.is_empty());
    assert_eq!((shown.mood.current, shown.voice), (None, None));
    assert_eq!(shown.identity_card, "# coder\n\nPlain\n\n- Agent ID: coder");
    let request = context::Request { subject: Subject::Target(Target::Agent(coder())), dialect: None };
    assert_eq!(place.run(request).unwrap().soul.persona, None);
    assert_eq!(place.adapt("openness", 0.1, "s").adapted.previous, 0.5);
    fs::remove_file(place.home.soul()).unwrap();
    assert_eq!(place.show().effective.get(Trait::Openness), Some(0.6));
    let refused = place.set_mood("curious").unwrap_err();
    assert_eq!((refused.fault().code, refused.fault().kind), ("no_soul", Kind::Conflict));
    fs::write(place.home.soul(), "---\ntools: x\n---\n").unwrap();
    let invalid = place.run(show::Request { agent: coder() });
    assert!(matches!(invalid, Err(Error::Soul(SoulError::Invalid(_)))));
}

#[test]
fn an_agent_keeps_its_persona_on_a_soul_of_the_library() {
    let place = Place::new();
    fs::remove_file(place.home.soul()).unwrap();
    place.home.config("[agents.soul]\nfallback = \"library\"\n");
    place.set_mood("curious").unwrap();
    let session = place.begin();
    assert!(place.prompt(Subject::Session(session)).text.contains("Your mood: curious"));
    let nobody = place.run(start::Request::default()).unwrap().response.session;
    assert_eq!(nobody.persona, None);
}

#[test]
fn requests_and_responses_survive_a_round_trip() {
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
    same(&place.move_mood(Pad { valence: -0.9, arousal: 0.7, dominance: 0.1 }).unwrap());
    same(&place.show());
    same(&history::Response { mutations: place.history(), next_cursor: None });
    let traces = json!(vec![json!({ "valence": -0.6, "arousal": 0.7 }); 11]);
    let relationship = Some(json!({ "trustDelta": -50 }));
    let request = drift::Request { relationship, apply: true, ..drifting(traces) };
    twice(&request);
    same(&place.run(request).unwrap());
    let rules = json!([{ "id": "a", "trigger": "always", "patch": { "mood": "focused", "personaTraits": { "openness": 0.7 } } }]);
    let request = overlay::Request { rules: Some(rules), seconds: 60, ..overlays() };
    twice(&request);
    same(&place.run(request).unwrap());
    twice(&mood::Request { agent: coder(), set: Some(non_blank("calm")), event: None });
    same(&place.revert(None));
    assert!(serde_json::from_value::<show::Request>(json!({ "agent": "../x" })).is_err());
}

#[test]
fn a_change_while_souls_are_off_is_reported_as_inactive() {
    let place = Place::new();
    assert!(!place.adapt("openness", 0.1, "a").inactive);
    place.home.config("[agents.soul]\nenabled = false\n");
    assert!(place.adapt("openness", 0.05, "a").inactive);
    assert!(place.set_mood("focused").unwrap().inactive);
    assert!(place.run(overlays()).unwrap().inactive);
}

#[test]
fn limits_and_card_are_those_of_the_prompt_and_of_boot() {
    let place = Place::new();
    fs::write(place.home.agent().join("RULES.md"), "# Rules\n\n- Never push\n  to main.\n- Ask.\n").unwrap();
    assert_eq!(place.show().hard_limits, ["Never push to main.", "Ask.", "Never guess."]);
    let layers = place.current_prompt().layers;
    let limits = layers.iter().find(|layer| layer.name == "limits").unwrap();
    assert!(limits.text.contains("\nThese limits override everything below.\n\nFrom RULES.md:\n"));
    let card = || {
        let request = boot::Request { target: Target::Agent(coder()), dialect: None };
        place.run(request).unwrap().identity_card.text
    };
    assert_eq!(place.show().identity_card, card());
    fs::write(place.home.soul(), "---\nrole: Plain\n---\nYou are plain.\n").unwrap();
    assert_eq!(place.show().identity_card, card());
    fs::write(place.home.agent().join("IDENTITY.md"), "# A card\n").unwrap();
    assert_eq!(place.show().identity_card, "# A card");
}
