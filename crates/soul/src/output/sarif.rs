//! SARIF 2.1.0: rules with their documentation, results with places, fingerprints and suppressions.

use serde_json::{Value, json};
use soul_core::diagnostics::{Code, Severity};
use soul_core::rules;
use soul_engine::ops::{scan, validate};

use super::note::{self, Note};

pub(crate) fn validation(response: &validate::Response) -> String {
    let notes: Vec<Note<'_>> = response.results.iter().flat_map(note::of_soul).collect();
    document(&notes, Vec::new())
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let notes: Vec<Note<'_>> = response.targets.iter().flat_map(note::of_target).collect();
    let unscanned = response.targets.iter().filter_map(|target| {
        let error = target.error.as_ref()?;
        Some(json!({ "level": "error", "message": { "text": format!("{}: {error}", target.path) } }))
    });
    document(&notes, unscanned.collect())
}

fn document(notes: &[Note<'_>], unscanned: Vec<Value>) -> String {
    let mut ids: Vec<&str> = notes.iter().map(|note| note.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let results: Vec<Value> = notes.iter().map(|note| result(note, &ids)).collect();
    let mut invocation = json!({ "executionSuccessful": unscanned.is_empty() });
    if !unscanned.is_empty() {
        invocation["toolExecutionNotifications"] = unscanned.into();
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "soul",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": ids.iter().map(|id| rule(id)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// What is known of a rule or a code.
fn rule(id: &str) -> Value {
    if let Some(rule) = rules::find(id).filter(|rule| rule.id == id) {
        return json!({
            "id": id,
            "name": rule.name,
            "shortDescription": { "text": rule.message },
            "fullDescription": { "text": rule.why },
            "help": { "text": rule.fix },
            "defaultConfiguration": { "level": level(rule.severity) },
            "properties": { "tags": ["security", rule.family.as_str()], "precision": rule.confidence.as_str() },
        });
    }
    match Code::ALL.iter().find(|code| code.as_str() == id) {
        Some(code) => json!({
            "id": id,
            "shortDescription": { "text": code.meaning() },
            "defaultConfiguration": { "level": level(code.severity()) },
        }),
        None => json!({ "id": id }),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(note: &Note<'_>, ids: &[&str]) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&note.path) } });
    if let Some((line, column)) = note.place {
        place["region"] = json!({ "startLine": line, "startColumn": column });
    }
    let mut result = json!({
        "ruleId": note.id,
        "ruleIndex": ids.binary_search(&note.id).unwrap_or(0),
        "level": level(note.weight()),
        "message": { "text": note.message },
        "locations": [{ "physicalLocation": place }],
    });
    if let Some(finding) = note.scanned {
        result["partialFingerprints"] = json!({ "soulScan/v1": finding.fingerprint });
        result["properties"] = json!({ "confidence": finding.confidence.as_str(), "excerpt": finding.excerpt });
        if let Some(reason) = &finding.suppressed {
            let kind = if reason == "in the baseline" { "external" } else { "inSource" };
            result["suppressions"] = json!([{ "kind": kind, "justification": reason }]);
        }
    }
    result
}

/// A path as part of an address.
fn uri(path: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let escaped = |byte: u8| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(escaped).collect()
}
