//! Soul Spec manifests: the seed's own examples, and the last public validator's verdicts.

use serde_json::Value;
use soul_core::diagnostics::Code;
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
    ("/missing-specVersion", "a registry takes no manifest that does not say which version it follows"),
    ("/desc-empty", "an empty description describes nothing, and a registry shows it"),
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

#[test]
fn a_package_has_a_soul() {
    let minimal = r#"{"specVersion": "0.6", "name": "my-agent", "displayName": "My Agent", "version": "1.0.0", "description": "A helpful assistant"}"#;
    let whole = |profile, files: &[(&str, &str)]| {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Source::from(*text))).collect();
        let context = Context { profile, name: Some("soul.json".into()), files, complete: true, ..Context::default() };
        parse(Source::from(minimal), Dialect::Soulspec, &context)
    };
    let soulless = whole(Profile::Lenient, &[]);
    assert!(!soulless.is_valid());
    let missing = soulless.diagnostics.iter().find(|d| d.code == Code::FileMissing).unwrap();
    assert_eq!((missing.line, missing.column), (Some(1), Some(1)));
    assert!(whole(Profile::Lenient, &[("SOUL.md", "You are helpful.")]).is_valid());
    assert!(read(minimal, Profile::Lenient).is_valid(), "files that are not known are not missing");
}

/// What a registry would miss has a place: the manifest's first line, or the blank value.
#[test]
fn what_is_missing_has_a_place() {
    for profile in [Profile::Lenient, Profile::Publish] {
        for manifest in ["{}", "\n{\"name\": \"a\"}", r#"{"description": " ", "category": ""}"#] {
            for diagnostic in read(manifest, profile).diagnostics {
                assert!(diagnostic.line.is_some() && diagnostic.span.is_some(), "{diagnostic:?}");
            }
        }
    }
}

/// The packages that the public registry lists say one name each, and nothing else that is new refuses them.
#[test]
fn packages_of_the_registry() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/soulspec-validate-and-index.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let files = cases.iter().find(|case| case["id"] == "index/real-registry").unwrap()["files"].as_object().unwrap();
    let folders: Vec<&str> = files.keys().filter_map(|path| path.strip_suffix("soul.json")).collect();
    assert_eq!(folders.len(), 6);
    for folder in folders {
        let own = files.iter().filter_map(|(path, text)| Some((path.strip_prefix(folder)?, text.as_str()?)));
        let own: Vec<(&str, &str)> = own.collect();
        let beside = own.iter().filter(|(path, _)| *path != "soul.json");
        let context = Context {
            name: Some("soul.json".into()),
            files: beside.map(|(path, text)| ((*path).to_owned(), Source::from(*text))).collect(),
            complete: true,
            ..Context::default()
        };
        let manifest = files[&format!("{folder}soul.json")].as_str().unwrap();
        let parsed = parse(Source::from(manifest), Dialect::Soulspec, &context);
        let codes: Vec<_> = parsed.diagnostics.iter().map(|d| d.code).collect();
        assert!(
            codes.iter().all(|code| matches!(code, Code::MissingSpecVersion | Code::NotPublishable)),
            "{folder}: {codes:?}"
        );
    }
}

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

/// Laws and names are compared with the text, whatever its size, in a time that its size allows.
#[test]
fn hostile_texts_end_quickly() {
    let law = r#"{"priority": 1, "rule": "A robot must not harm a human."}"#;
    let manifest = format!(
        r#"{{"name": "a", "description": "{}", "environment": "embodied", "safety": {{"laws": [{}]}}}}"#,
        "word ".repeat(20_000),
        vec![law; 5_000].join(","),
    );
    let begin = std::time::Instant::now();
    for line in ["```\n", "I am Zed.\n", "I may harm people. ", "Name: Bob\n", "# Zed\n", "> ", "I am "] {
        let text = line.repeat((200 << 10) / line.len());
        let files = ["SOUL.md", "IDENTITY.md"].map(|path| (path.to_owned(), Source::from(text.as_str())));
        let context =
            Context { name: Some("soul.json".into()), files: files.into(), complete: true, ..Context::default() };
        let parsed = parse(Source::from(manifest.as_str()), Dialect::Soulspec, &context);
        assert!(parsed.diagnostics.len() <= 50);
    }
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}
