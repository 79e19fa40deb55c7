//! Soul Spec manifests: the seed's own examples, and the last public validator's verdicts.

use serde_json::Value;
use soul_core::formats::soulspec::Profile;
use soul_core::formats::{Context, Parsed, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

fn read(manifest: &str, profile: Profile) -> Parsed {
    let context = Context { profile, name: Some("soul.json".into()), ..Context::default() };
    parse(Source::from(manifest), Dialect::Soulspec, &context)
}

/// Where we judge otherwise than the validator of versions 0.1 and 0.2, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("/author-string", "the manifest follows 0.4, and since 0.4 an author may be a string"),
    ("/license-gpl", "the licence rule came with 0.3; a registry refuses it"),
    ("/files-traversal", "a path that leads out of the package is never valid"),
    ("validate-0.1/files-style-number", "the manifest follows 0.4, which has files.style"),
    ("validate-0.1/interp-bad", "the manifest follows 0.4, which has interpolation"),
    ("validate-0.1/modes-string", "the manifest follows 0.4, which has modes"),
    ("validate-0.1/skills-objects", "skills is a list of strings in every version that has it"),
];

#[test]
fn verdicts_of_the_last_public_validator() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/soulspec-validate-and-index.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases: Vec<_> =
        cases.iter().filter(|case| case["op"].as_str().unwrap().starts_with("validate-legacy")).collect();
    let mut wrong = Vec::new();
    let mut otherwise = 0;
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let parsed = read(case["files"]["soul.json"].as_str().unwrap(), Profile::Publish);
        let same = parsed.is_valid() == case["expect"]["valid"].as_bool().unwrap();
        let listed = OTHERWISE.iter().any(|(name, _)| id.ends_with(name));
        otherwise += usize::from(listed);
        if same == listed {
            wrong.push(format!(
                "{id}: {:?} {:?}",
                case["expect"],
                parsed.diagnostics.iter().map(|d| (d.severity, &d.message)).collect::<Vec<_>>()
            ));
        }
    }
    println!(
        "soulspec verdicts: {} of {} the same, {otherwise} otherwise for a listed reason",
        cases.len() - otherwise - wrong.len(),
        cases.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The manifests that the specification itself shows.
#[test]
fn examples_of_the_specification() {
    let minimal = r#"{"specVersion": "0.6", "name": "my-agent", "displayName": "My Agent", "version": "1.0.0", "description": "A helpful assistant"}"#;
    let persona = r#"{"specVersion": "0.6", "name": "surgical-coder", "type": "persona"}"#;
    let pack = r#"{"specVersion": "0.6", "name": "full-stack-engineer", "type": "pack",
        "includes": {"skills": ["code-review", "testing"], "tools": ["github-search"], "memory": true, "rules": true, "hooks": ["bootstrap"]}}"#;
    let memory = r#"{"memory": {"format": "markdown",
        "layout": {"longTerm": "MEMORY.md", "daily": "memory/YYYY-MM-DD.md", "topics": "memory/topic-*.md", "runtime": "memory/runtime/"},
        "search": {"default": "tfidf", "enhanced": "llm-rerank"}, "sync": {"enabled": false, "remote": null, "branch": "main"}}}"#;
    let registry = r#"{"registry": {"listed": true, "featured": false, "scanGrade": "A-", "scanScore": 48, "submittedAt": "2026-03-31T09:59:00Z"}}"#;
    for manifest in [minimal, persona, pack, memory, registry] {
        let parsed = read(manifest, Profile::Lenient);
        assert!(parsed.is_valid(), "{manifest}: {:?}", parsed.diagnostics);
    }
    let parsed = read(minimal, Profile::Lenient);
    assert!(
        parsed.diagnostics.iter().all(|d| d.severity == soul_core::diagnostics::Severity::Info),
        "{:?}",
        parsed.diagnostics
    );
    assert!(!read(minimal, Profile::Publish).is_valid());
}

/// The schemas and the rules agree on what the specification's smallest manifest is.
#[test]
fn hostile_manifests_end_quickly() {
    let tags = format!("{{\"tags\": [{}]}}", vec!["\"t\""; 100_000].join(","));
    let deep = format!("{{\"a\": {}}}", "[".repeat(100_000));
    let keys: String = (0..50_000).map(|n| format!("\"k{n}\": 1,")).collect();
    let wide = format!("{{{keys}\"name\": \"a\"}}");
    for manifest in
        [tags, deep, wide, "null".into(), "[]".into(), "\"x\"".into(), String::new(), "{\"name\": NaN}".into()]
    {
        let parsed = read(&manifest, Profile::Publish);
        assert!(!parsed.is_valid());
        assert!(!read(&manifest, Profile::Lenient).is_valid() || manifest.contains("k1"));
        assert!(parsed.diagnostics.len() <= 50);
    }
}
