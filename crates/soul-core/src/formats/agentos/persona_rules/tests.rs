use crate::formats::{Context, parse};
use crate::model::Dialect;
use crate::text::Source;

fn diagnostics(text: &str) -> Vec<crate::diagnostics::Diagnostic> {
    parse(Source::from(text), Dialect::Agentos, &Context::default()).diagnostics
}

/// The code of each problem, with the text that it points at.
fn found(text: &str) -> Vec<(&'static str, &str)> {
    let found = diagnostics(text).into_iter().map(|diagnostic| {
        let at = diagnostic.span.map_or("", |span| &text[span.start..span.end]);
        (diagnostic.code.as_str(), at)
    });
    found.collect()
}

/// A persona with all that is required, and one more field.
fn with(field: &str) -> String {
    format!(
        r#"{{"id": "a", "name": "A", "description": "d", "version": "1.0.0", "baseSystemPrompt": "p",
            "costSavingStrategy": "always_cheapest", {field}}}"#
    )
}

#[test]
fn a_persona_has_what_is_required() {
    let empty = r#"{"id":"a","name":"","description":" ","version":null,"baseSystemPrompt":[], "costSavingStrategy":"user_preference"}"#;
    let expected = [("\"\"", "name"), ("\" \"", "description"), ("null", "version"), ("[]", "baseSystemPrompt")];
    assert_eq!(found(empty), expected.map(|(at, _)| ("missing_required_field", at)));
    let fields: Vec<_> = diagnostics(empty).into_iter().filter_map(|diagnostic| diagnostic.field).collect();
    assert_eq!(fields, expected.map(|(_, field)| field));
    assert_eq!(found("{}").iter().filter(|found| **found == ("missing_required_field", "{")).count(), 5);
}

#[test]
fn each_rule_points_at_what_it_is_about() {
    let cases = [
        (r#""label": "L", "isPublic": true, "minSubscriptionTier": 3"#, vec![]),
        (r#""defaultLanguage": "english""#, vec![("invalid_bcp47_language", r#""english""#)]),
        (r#""toolIds": ["x", "y", "x", "x"]"#, vec![("duplicate_tool_id", r#""x""#); 2]),
        (r#""toolIds": "x""#, vec![("invalid_field_type", r#""toolIds""#)]),
        (r#""toolIds": ["x", 3]"#, vec![("invalid_field_type", "3")]),
        (r#""voiceConfig": {"voiceId": "v"}"#, vec![("voice_config_without_audio_output", r#""voiceConfig""#)]),
        (r#""voiceConfig": {"voiceId": "v"}, "allowedOutputModalities": ["text", "audio_tts"]"#, vec![]),
        (
            r#""modelTargetPreferences": [{"allowedModelIds": ["m", "m"]}]"#,
            vec![("duplicate_allowed_model_ids", r#""m""#)],
        ),
        (
            r#""modelTargetPreferences": [{"modelId": "m", "modelFamily": "f", "allowedModelIds": ["m"]}]"#,
            vec![(
                "over_specified_model_preference",
                r#"{"modelId": "m", "modelFamily": "f", "allowedModelIds": ["m"]}"#,
            )],
        ),
        (r#""modelTargetPreferences": [{"modelId": "m", "modelFamily": "f", "allowedModelIds": []}]"#, vec![]),
        (
            r#""memoryConfig": {"ragConfig": {"enabled": true, "dataSources": [{"id": "d"}, {"id": "d"}]}}"#,
            vec![("duplicate_rag_datasource_ids", r#""d""#)],
        ),
        (r#""memoryConfig": {"ragConfig": {"enabled": false, "dataSources": [{"id": "d"}, {"id": "d"}]}}"#, vec![]),
        (
            r#""memoryConfig": {"ragConfig": {"enabled": true, "ingestionProcessing": {"summarization": {"enabled": true}}}}"#,
            vec![("rag_summarization_method_missing", r#""summarization""#)],
        ),
        (r#""activationKeywords": ["a", "A", "a"]"#, vec![("activation_keyword_conflict", r#""a""#)]),
        (r#""uiInteractionStyle": "direct""#, vec![("unknown_value", r#""direct""#)]),
        (r#""moodAdaptation": {"moodPrompts": {"calm": 3}}"#, vec![("invalid_field_type", r#""calm""#)]),
        (r#""moodAdaptation": "calm""#, vec![("invalid_field_type", r#""moodAdaptation""#)]),
        (
            r#""voiceConfig": "loud", "allowedOutputModalities": ["audio_tts"]"#,
            vec![("invalid_field_type", r#""voiceConfig""#)],
        ),
        (r#""personalityTraits": {"openness": 1.5}"#, vec![("trait_out_of_range", "1.5")]),
        (r#""personalityTraits": {"opennes": 0.5, "humour": 0.5}"#, vec![("unknown_trait", r#""opennes""#)]),
    ];
    for (field, expected) in cases {
        assert_eq!(found(&with(field)), expected, "{field}");
    }
    let text = with(r#""label": "L""#).replace("1.0.0", "abc");
    assert_eq!(found(&text), [("invalid_semver", r#""abc""#)]);
    let text = with(r#""label": "L""#).replace(r#""p""#, &format!("\"{}\"", "é".repeat(2001)));
    assert_eq!(found(&text), [("system_prompt_too_long", r#""baseSystemPrompt""#)]);
    let text = with(r#""label": "L""#).replace(r#""costSavingStrategy": "always_cheapest", "#, "");
    assert_eq!(found(&text), [("missing_cost_strategy", "{")]);
}

#[test]
fn other_names_are_renamed() {
    for (written, field) in [
        (r#""personaTraits": {"openness": 0.5}"#, "personalityTraits"),
        (r#""personality": {"openness": 0.5}"#, "personalityTraits"),
        (r#""hexaco": {"openness": 0.5}"#, "personalityTraits"),
        (r#""tool_ids": ["x"]"#, "toolIds"),
        (r#""isPublik": true"#, "isPublic"),
    ] {
        let text = with(written);
        let found = diagnostics(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code.as_str(), "misspelt_field");
        let fixed = Source::from(text.as_str()).with_edits(&[found[0].fix.clone().unwrap()]);
        let fixed = String::from_utf8(fixed).unwrap();
        assert!(fixed.contains(&format!("\"{field}\":")) && diagnostics(&fixed).is_empty(), "{fixed}");
    }
    for prompt in ["prompt", "systemPrompt", "system_prompt", "instructions"] {
        let text = with(r#""label": "L""#).replace("baseSystemPrompt", prompt);
        let found = diagnostics(&text);
        let fix = found.iter().find_map(|diagnostic| diagnostic.fix.clone()).unwrap();
        let fixed = String::from_utf8(Source::from(text.as_str()).with_edits(&[fix])).unwrap();
        assert!(diagnostics(&fixed).is_empty(), "{fixed}");
    }
    // Of two fields that mean the same, one is renamed.
    let fixes = diagnostics(&with(r#""hexaco": {}, "traits": {}"#)).into_iter().filter_map(|diagnostic| diagnostic.fix);
    assert_eq!(fixes.count(), 1);
    // A new name alone does not make a text a mapping, and a field that is there is not meant twice.
    assert!(diagnostics(&with(r#""personality": "warm""#)).iter().all(|diagnostic| diagnostic.fix.is_none()));
    assert_eq!(found(&with(r#""prompt": "x""#)), [("unknown_field", r#""prompt""#)]);
    assert_eq!(found(&with(r#""defaultMood": "calm""#)), [("misspelt_field", r#""defaultMood""#)]);
}

#[test]
fn frontmatter_is_checked_for_what_it_holds() {
    let text = "---\nname: A\npersona:\n  version: v1.2.3\n  toolIds: [x, x]\n  label: 3\n---\nBody\n";
    assert_eq!(
        found(text),
        [("invalid_semver", "v1.2.3"), ("duplicate_tool_id", "x"), ("invalid_field_type", "label")]
    );
    let fields: Vec<_> = diagnostics(text).into_iter().filter_map(|diagnostic| diagnostic.field).collect();
    assert_eq!(fields, ["persona.version", "persona.toolIds", "persona.label"]);
}
