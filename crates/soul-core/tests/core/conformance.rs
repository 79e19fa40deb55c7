//! The cases recorded from the running peers, each through the public API.

use std::path::Path;

use serde_json::{Value, json};
use soul_core::formats::{Context, Parsed, Provenance, agh, dagu, emit, parse};
use soul_core::model::Dialect;
use soul_core::persona::{
    Bounds, Drift, Mutation, Relationship, Rule, Trace, Trait, Traits, adapt, adapted_traits, check, drift, evaluate,
    resolve,
};
use soul_core::scan::File;
use soul_core::scan::soulscan::Rules;
use soul_core::text::Source;
use soul_core::time::Day;

/// Runs every case of a file and prints the count that `scripts/test` shows.
fn run(file: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(file);
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let failed: Vec<String> =
        cases.iter().filter_map(|case| check(case).err().map(|why| format!("{}: {why}", case["id"]))).collect();
    println!("conformance {file}: {} of {} hold", cases.len() - failed.len(), cases.len());
    assert!(!cases.is_empty() && failed.is_empty(), "{}", failed.join("\n"));
}

fn read(case: &Value, dialect: Dialect, context: &Context) -> Parsed {
    parse(Source::from(case["input"].as_str().unwrap()), dialect, context)
}

fn equal(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what} is {got}, not {want}")) }
}

#[test]
fn agh() {
    run("agh-parse.json", |case| {
        let config = |key: &str| usize::try_from(case["config"][key].as_u64().unwrap()).unwrap();
        let limits = agh::Limits {
            max_body_bytes: config("max_body_bytes"),
            context_projection_bytes: config("context_projection_bytes"),
        };
        let parsed = read(case, Dialect::Agh, &Context { limits, ..Context::default() });
        let expect = &case["expect"];
        equal("valid", &parsed.is_valid().into(), &expect["valid"])?;
        if parsed.is_valid() {
            let document = parsed.document.to_json();
            equal("frontmatter", &document["frontmatter"], &expect["frontmatter"])?;
            equal("body", &document["body"], &expect["body"])?;
            return equal("digest", &parsed.document.digest().to_string().into(), &expect["digest"]);
        }
        let ours = serde_json::to_value(&parsed.diagnostics).unwrap();
        let ours = ours.as_array().unwrap();
        for wanted in expect["diagnostics"].as_array().into_iter().flatten() {
            let holds = |got: &Value| wanted.as_object().unwrap().iter().all(|(key, value)| got[key] == *value);
            if !ours.iter().any(holds) {
                return Err(format!("no {wanted} among {ours:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn cantus() {
    run("cantus-parse.json", |case| {
        let parsed = read(case, Dialect::Cantus, &Context::default());
        let expect = &case["expect"];
        equal("valid", &parsed.is_valid().into(), &expect["valid"])?;
        let document = parsed.document.to_json();
        if parsed.is_valid() {
            equal("sections", &document["sections"], &expect["sections"])?;
            return equal(
                "system_prompt",
                &parsed.document.identity(Provenance::default()).into(),
                &expect["system_prompt"],
            );
        }
        ["missing_sections", "duplicates", "unexpected"]
            .iter()
            .try_for_each(|key| equal(key, &document[key], &expect[key]))
    });
}

#[test]
fn dagu() {
    run("dagu-parse.json", |case| {
        let expect = &case["expect"];
        if case["op"] == "validate_id" {
            return equal("valid", &dagu::is_id(case["input"].as_str().unwrap()).into(), &expect["valid"]);
        }
        let parsed = read(case, Dialect::Dagu, &Context::default());
        equal("valid", &parsed.is_valid().into(), &expect["valid"])?;
        let document = parsed.document.to_json();
        let keys: &[&str] = if parsed.is_valid() { &["name", "description", "content"] } else { &[] };
        keys.iter().try_for_each(|key| equal(key, &document[key], &expect[key]))
    });
}

/// A workspace's files, read as the engine reads a directory.
fn workspace(files: &Value) -> Option<Parsed> {
    let mut files: std::collections::BTreeMap<String, Source> = files
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, text)| (name.clone(), Source::from(text.as_str().unwrap())))
        .collect();
    let soul = files.remove("SOUL.md")?;
    Some(parse(soul, Dialect::Agentos, &Context { files, ..Context::default() }))
}

/// A persona as JSON, or what became of it as SOUL.md, back to its persona.
fn persona_of(text: String, name: Option<&str>) -> (Parsed, Value) {
    let context = Context { name: name.map(str::to_owned), ..Context::default() };
    let parsed = parse(Source::new(text), Dialect::Agentos, &context);
    let persona = parsed.document.to_json()["persona"].clone();
    (parsed, persona)
}

#[test]
fn agentos() {
    run("agentos-load.json", |case| {
        let expect = &case["expect"];
        if case["op"] == "load" {
            let parsed = workspace(&case["files"]);
            let valid = parsed.as_ref().is_some_and(Parsed::is_valid);
            equal("valid", &valid.into(), &expect["valid"])?;
            let document = parsed.map(|parsed| parsed.document.to_json()).unwrap_or_default();
            let keys =
                ["persona", "soul", "style", "agents", "memory"].into_iter().filter(|key| expect.get(*key).is_some());
            return keys.into_iter().try_for_each(|key| equal(key, &document[key], &expect[key]));
        }
        let (from_json, direct) = persona_of(case["persona"].to_string(), Some("persona.json"));
        let markdown = emit(&from_json.document.soul(), Dialect::Agentos).text;
        let (from_soul, back) = persona_of(markdown.clone(), None);
        let valid = expect.get("valid").is_none_or(|valid| valid == true);
        for (persona, parsed, valid) in [(&direct, &from_json, valid), (&back, &from_soul, true)] {
            if parsed.is_valid() != valid {
                return Err(format!("{:?} in {markdown}", parsed.diagnostics));
            }
            let fields = case["persona"].as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
            fields.into_iter().try_for_each(|(key, value)| equal(key, &persona[key], value))?;
        }
        Ok(())
    });
}

/// The rules stand beside the cases, restated from what they match.
#[test]
fn soulscan() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    // The file as it was published may be tried in place of ours.
    let rules = std::env::var_os("SOULSCAN_RULES").map_or_else(|| folder.join("soulspec-scan-rules.json"), Into::into);
    let rules = Rules::parse(&std::fs::read(rules).unwrap()).unwrap();
    run("soulspec-scan.json", |case| {
        let files: Vec<(&String, &str)> =
            case["files"].as_object().unwrap().iter().map(|(path, text)| (path, text.as_str().unwrap())).collect();
        let files: Vec<File<'_>> =
            files.iter().map(|(path, text)| File { path: path.as_str(), bytes: text.as_bytes() }).collect();
        let mut got: Vec<Value> =
            rules.scan(&files).findings.iter().map(|finding| json!([finding.file, finding.rule])).collect();
        let mut want = case["expect"]["hits"].as_array().unwrap().clone();
        got.sort_by_key(Value::to_string);
        want.sort_by_key(Value::to_string);
        equal("hits", &got.into(), &want.into())
    });
}

/// A number, or what is none.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// Scores under any spelling.
fn traits(map: &Value) -> Traits {
    let scores = map.as_object().into_iter().flatten();
    scores.filter_map(|(key, score)| Some((Trait::from_key(key)?, score.as_f64()?))).collect()
}

/// Whose budget a call is taken from: the first of these that says anything.
fn session(context: &Value) -> String {
    let data = &context["sessionData"];
    let places = [
        ("session", &data["sessionId"]),
        ("conversation", &data["conversationId"]),
        ("correlation", &context["correlationId"]),
        ("gmi", &context["gmiId"]),
        ("persona", &context["personaId"]),
    ];
    let named = |(kind, id): &(&str, &Value)| {
        let id = id.as_str().map(str::trim).filter(|id| !id.is_empty())?;
        Some(format!("{kind}:{id}"))
    };
    places.iter().find_map(named).unwrap_or_else(|| "global".to_owned())
}

#[test]
fn hexaco_adapt() {
    run("hexaco-adapt.json", |case| {
        let baseline = traits(&case["personality"]);
        // The peer has no bound from the baseline.
        let bounds =
            Bounds { per_session: case["config"]["maxDeltaPerSession"].as_f64().unwrap_or(0.15), total: f64::INFINITY };
        let mut steps: Vec<Mutation> = Vec::new();
        let mut spent: std::collections::BTreeMap<String, f64> = Default::default();
        for (call, expect) in
            case["calls"].as_array().unwrap().iter().zip(case["expect"]["results"].as_array().unwrap())
        {
            let args = &call["args"];
            let text = |key: &str| args[key].as_str().unwrap_or_default();
            let checked = check(text("trait"), text("reasoning"), number(&args["delta"]));
            equal("success", &checked.is_ok().into(), &expect["success"])?;
            let Ok(trait_) = checked else { continue };
            // Every step starts from what is remembered, as after a restart.
            let current = adapted_traits(&baseline, &steps, bounds, 0.05, Day(0));
            let spent = spent.entry(format!("{} {trait_}", session(&call["context"]))).or_default();
            let step = adapt(current.get(trait_), baseline.get(trait_), *spent, number(&args["delta"]), bounds);
            *spent = step.session_total;
            steps.push(Mutation { seq: 0, trait_, delta: step.delta, day: Day(0) });
            let got = [step.previous, step.new, step.delta, step.session_total, step.remaining_budget];
            for (key, got) in ["previousValue", "newValue", "delta", "sessionTotal", "remainingBudget"].iter().zip(got)
            {
                let want = number(&expect["output"][key]);
                if got != want {
                    return Err(format!("{key} is {got}, not {want}"));
                }
            }
            equal("clamped", &step.clamped.into(), &expect["output"]["clamped"])?;
        }
        let last = adapted_traits(&baseline, &steps, bounds, 0.05, Day(0));
        if last == traits(&case["expect"]["final"]) { Ok(()) } else { Err(format!("ends with {last:?}")) }
    });
}

#[test]
fn hexaco_drift() {
    run("hexaco-drift.json", |case| {
        let traces = case["traces"].as_array().unwrap().iter();
        let felt =
            |trace: &Value| Some(Trace { valence: trace["valence"].as_f64()?, arousal: number(&trace["arousal"]) });
        let traces: Vec<Option<Trace>> = traces.map(felt).collect();
        let relationship = case.get("relationship").filter(|given| !given.is_null()).map(|given| Relationship {
            trust_delta: number(&given["trustDelta"]),
            affection_delta: number(&given["affectionDelta"]),
            tension_delta: number(&given["tensionDelta"]),
            respect_delta: number(&given["respectDelta"]),
        });
        let config = &case["config"];
        let usual = Drift::default();
        let drifting = Drift {
            enabled: config["enabled"].as_bool().unwrap_or(usual.enabled),
            min_traces: config["minTracesForAnalysis"]
                .as_u64()
                .map_or(usual.min_traces, |n| usize::try_from(n).unwrap()),
            max_delta: config["maxDeltaPerCycle"].as_f64().unwrap_or(usual.max_delta),
        };
        let found = drift(&traces, relationship.as_ref(), &traits(&case["traits"]), drifting);
        let got = found
            .iter()
            .map(|one| json!({"trait": one.trait_.short(), "delta": one.delta, "confidence": one.confidence}));
        let want = case["expect"].as_array().unwrap().iter();
        let want = want.map(|one| json!({"trait": one["trait"], "delta": number(&one["delta"]), "confidence": number(&one["confidence"])}));
        equal("proposals", &got.collect(), &want.collect())
    });
}

#[test]
fn hexaco_overlay() {
    run("hexaco-overlay.json", |case| {
        let rules: Vec<Rule> = serde_json::from_value(case["rules"].clone()).unwrap();
        let allowed = case["persona"]["moodAdaptation"]["allowedMoods"].as_array().cloned().unwrap_or_default();
        let allows = |mood: &str| allowed.is_empty() || allowed.contains(&mood.into());
        let applied = evaluate(&rules, &case["context"], allows).applied;
        let ids = applied.iter().map(|(rule, _)| rule.as_str()).collect::<Vec<_>>();
        equal("applied", &ids.into(), &case["expect"]["overlay"]["appliedRules"])?;
        let effective = resolve(case["persona"].as_object().unwrap(), &applied);
        equal("effective", &effective.into(), &case["expect"]["effective"])
    });
}
