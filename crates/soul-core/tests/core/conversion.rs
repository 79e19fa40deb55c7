//! Every valid document of the conformance sets, from its dialect to every other and back.

use serde_json::Value;
use soul_core::formats::{Context, Emitted, Parsed, agh, emit, parse};
use soul_core::model::{Dialect, Fate, Item, Soul, losses};
use soul_core::text::Source;

fn cases(file: &str) -> Vec<Value> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(file);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Limits are configuration, not dialect: here nothing is too large.
fn context() -> Context {
    let limits = agh::Limits { max_body_bytes: 1 << 20, ..agh::Limits::default() };
    Context { limits, name: Some("a-soul.md".into()), ..Context::default() }
}

fn documents() -> Vec<(String, Parsed)> {
    let mut documents = Vec::new();
    for (file, dialect) in
        [("agh-parse.json", Dialect::Agh), ("cantus-parse.json", Dialect::Cantus), ("dagu-parse.json", Dialect::Dagu)]
    {
        for case in cases(file).iter().filter(|case| case["op"] == "parse") {
            let parsed = parse(Source::from(case["input"].as_str().unwrap()), dialect, &context());
            documents.push((format!("{file} {}", case["id"]), parsed));
        }
    }
    for case in cases("agentos-load.json").iter().filter(|case| case["op"] == "load") {
        let files = case["files"].as_object().unwrap();
        let Some(soul) = files.get("SOUL.md").and_then(Value::as_str) else { continue };
        let beside = files.iter().filter(|(name, _)| *name != "SOUL.md");
        let files = beside.map(|(name, text)| (name.clone(), Source::from(text.as_str().unwrap()))).collect();
        let parsed = parse(Source::from(soul), Dialect::Agentos, &Context { files, ..context() });
        documents.push((format!("agentos-load.json {}", case["id"]), parsed));
    }
    for case in cases("agentos-load.json").iter().filter(|case| case["op"] == "json-to-soul-roundtrip") {
        let context = Context { name: Some("persona.json".into()), ..context() };
        let parsed = parse(Source::new(case["persona"].to_string()), Dialect::Agentos, &context);
        documents.push((format!("agentos-load.json {}", case["id"]), parsed));
    }
    documents.extend(packages());
    documents.retain(|(_, parsed)| parsed.is_valid());
    documents
}

/// The package of the examples, and what the specification calls the smallest manifest.
fn packages() -> Vec<(String, Parsed)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/harbour-pilot");
    let paths = [
        "SOUL.md",
        "IDENTITY.md",
        "STYLE.md",
        "RULES.md",
        "README.md",
        "memory/MEMORY.md",
        "hooks/bootstrap.md",
        "skills/tide-table/SKILL.md",
        "tools/tide-lookup.yaml",
    ];
    let files =
        paths.iter().map(|path| ((*path).to_owned(), Source::new(std::fs::read(root.join(path)).unwrap()))).collect();
    let whole = std::fs::read(root.join("soul.json")).unwrap();
    let minimal = br#"{"specVersion": "0.6", "name": "my-agent", "displayName": "My Agent", "version": "1.0.0", "description": "Helps"}"#;
    let context = |files| Context { name: Some("soul.json".into()), files, ..context() };
    vec![
        ("the example pack".into(), parse(Source::new(whole), Dialect::Soulspec, &context(files))),
        (
            "the smallest manifest".into(),
            parse(
                Source::new(minimal.to_vec()),
                Dialect::Soulspec,
                &context([("SOUL.md".to_owned(), Source::from("You help."))].into()),
            ),
        ),
    ]
}

fn reread(fresh: &Emitted, dialect: Dialect) -> Parsed {
    let files = fresh.beside.iter().map(|(name, text)| (name.clone(), Source::from(text.as_str()))).collect();
    parse(Source::from(fresh.text.as_str()), dialect, &Context { files, ..context() })
}

fn is_in(items: &[Item], item: &Item) -> bool {
    items.iter().any(|other| other.field == item.field && other.value == item.value)
}

#[test]
fn every_pair_of_dialects() {
    let documents = documents();
    let mut pairs = 0;
    for (name, parsed) in &documents {
        let from = parsed.document.dialect();
        let soul = parsed.document.soul();
        for to in Dialect::ALL {
            pairs += 1;
            let fresh = emit(&soul, *to);
            let there = reread(&fresh, *to);
            assert!(there.is_valid(), "{name} → {to}: {:?}\n{}", there.diagnostics, fresh.text);
            let there = there.document.emission_soul();
            let lost: Vec<Item> = losses(&soul, &there).into_iter().map(|loss| loss.item).collect();
            if *to == from {
                assert_eq!(lost, [], "{name} → {to}\n{}", fresh.text);
            }
            let kept = Soul { items: soul.items.iter().filter(|item| !is_in(&lost, item)).cloned().collect() };
            let back = reread(&emit(&there, from), from);
            assert!(back.is_valid(), "{name} → {to} → {from}: {:?}", back.diagnostics);
            let mut lost = losses(&kept, &back.document.soul());
            lost.retain(|item| item.fate == Fate::Lost);
            assert!(lost.is_empty(), "{name} → {to} → {from}: {lost:?}\n{}", fresh.text);
        }
    }
    println!("conversion: {} documents, {pairs} pairs", documents.len());
    assert!(documents.len() > 140);
}
