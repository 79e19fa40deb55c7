//! SARIF 2.1.0: rules with their documentation, results with places, fingerprints and suppressions.

use serde_json::{Value, json};
use soul_core::diagnostics::{Code, Severity};
use soul_core::rules::{self, Confidence};
use soul_core::scan::Fingerprints;
use soul_engine::ops::{check, deliver, scan, validate};

use super::note::{self, Location, Note, Related};

/// Where the source of this program is, with its documentation.
const HOME_PAGE: &str = env!("CARGO_PKG_REPOSITORY");
/// What relative paths are relative to: the folder in which the program ran, which code scanning takes for the
/// repository.
const BASE: &str = "%SRCROOT%";

pub(crate) fn validation(response: &validate::Response) -> String {
    let notes: Vec<Note<'_>> = response.results.iter().flat_map(note::of_soul).collect();
    document(&notes, unchecked(response.unchecked.iter().map(|one| (&*one.path, &*one.error))))
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let notes: Vec<Note<'_>> = response.targets.iter().flat_map(note::of_target).collect();
    let unscanned = response.targets.iter().filter_map(|target| Some((&*target.path, target.error.as_deref()?)));
    document(&notes, unchecked(unscanned))
}

pub(crate) fn check(response: &check::Response) -> String {
    let notes: Vec<Note<'_>> = note::of_check(response).collect();
    document(&notes, unchecked(response.unchecked.iter().map(|one| (&*one.path, &*one.error))))
}

pub(crate) fn delivery(response: &deliver::Response, folder: &str) -> String {
    document(&note::of_delivery(response, folder), Vec::new())
}

fn unchecked<'a>(targets: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Value> {
    targets
        .map(|(path, error)| json!({ "level": "error", "message": { "text": format!("{path}: {error}") } }))
        .collect()
}

fn document(notes: &[Note<'_>], unchecked: Vec<Value>) -> String {
    let mut ids: Vec<&str> = notes.iter().map(|note| note.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut fingerprints = Fingerprints::default();
    let results: Vec<Value> = notes.iter().map(|note| result(note, &ids, &mut fingerprints)).collect();
    let mut invocation = json!({ "executionSuccessful": unchecked.is_empty() });
    if !unchecked.is_empty() {
        invocation["toolExecutionNotifications"] = unchecked.into();
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "soul",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": HOME_PAGE,
                "rules": ids.iter().map(|id| rule(id)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { BASE: { "description": { "text": "the folder in which `soul` ran" } } },
            "invocations": [invocation],
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// What is known of a rule or a code.
fn rule(id: &str) -> Value {
    let page = |page: &str| format!("{HOME_PAGE}/blob/main/docs/{page}");
    if let Some(rule) = rules::find(id).filter(|rule| rule.id == id) {
        return json!({
            "id": id,
            "name": rule.name,
            "shortDescription": { "text": rule.message },
            "fullDescription": { "text": rule.why },
            "help": { "text": format!("{}\n\nFix: {}", rule.why, rule.fix) },
            "helpUri": page("rules.md"),
            "defaultConfiguration": { "level": level(rule.severity) },
            "properties": {
                "tags": ["security", rule.family.as_str()],
                "precision": rule.confidence.as_str(),
                "security-severity": security_severity(rule.severity, rule.confidence),
            },
        });
    }
    match Code::ALL.iter().find(|code| code.as_str() == id) {
        Some(code) => json!({
            "id": id,
            "shortDescription": { "text": code.meaning() },
            "help": { "text": format!("{}\n\n`soul explain {id}` explains it, `soul check --fix` fixes what it can.", code.meaning()) },
            "helpUri": page("diagnostics.md"),
            "defaultConfiguration": { "level": level(code.severity()) },
            "properties": { "tags": ["correctness"], "precision": "very-high" },
        }),
        None => json!({ "id": id }),
    }
}

/// How bad a finding is, on the scale of CVSS, by which code scanning sorts.
fn security_severity(severity: Severity, confidence: Confidence) -> &'static str {
    match (severity, confidence) {
        (Severity::Error, Confidence::High) => "9.0",
        (Severity::Error, _) => "7.5",
        (Severity::Warning, Confidence::High | Confidence::Medium) => "5.5",
        (Severity::Warning, Confidence::Low) => "3.5",
        (Severity::Info, _) => "2.0",
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(note: &Note<'_>, ids: &[&str], fingerprints: &mut Fingerprints) -> Value {
    let mut place = json!({ "artifactLocation": location(&note.path) });
    if let Some((line, column)) = note.place {
        place["region"] = json!({ "startLine": line, "startColumn": column });
        if let Some((line, column)) = note.end() {
            place["region"]["endLine"] = line.into();
            place["region"]["endColumn"] = column.into();
        }
    }
    let help = note.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let mut result = json!({
        "ruleId": note.id,
        "ruleIndex": ids.binary_search(&note.id).unwrap_or(0),
        "level": level(note.weight()),
        "message": { "text": format!("{}{help}", note.message) },
        "locations": [{ "physicalLocation": place }],
    });
    let fingerprint = note.fingerprint.map(str::to_owned).unwrap_or_else(|| {
        let marked = note.marked().map(|(text, span)| &text[span.start..span.end]);
        fingerprints.next(note.id, &note.path, marked.unwrap_or(&note.message))
    });
    result["partialFingerprints"] = json!({ "soul/v1": fingerprint });
    if let Some(confidence) = note.confidence {
        result["properties"] = json!({ "confidence": confidence.as_str(), "excerpt": note.excerpt });
    }
    let related: Vec<Value> = note.related.iter().filter_map(related_location).collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(reason) = note.suppressed {
        let kind = if reason == "in the baseline" { "external" } else { "inSource" };
        result["suppressions"] = json!([{ "kind": kind, "justification": reason }]);
    }
    result
}

fn related_location(related: &Related<'_>) -> Option<Value> {
    let Location { path, start, end, .. } = related.at.as_ref()?;
    let region = json!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 });
    let place = json!({ "artifactLocation": location(path), "region": region });
    Some(json!({ "physicalLocation": place, "message": { "text": related.message } }))
}

/// A file: relative paths are relative to the base.
fn location(path: &str) -> Value {
    match path.strip_prefix('/') {
        Some(_) => json!({ "uri": format!("file://{}", uri(path)) }),
        None => json!({ "uri": uri(path), "uriBaseId": BASE }),
    }
}

/// A path as part of an address.
fn uri(path: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let escaped = |byte: u8| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(escaped).collect()
}
