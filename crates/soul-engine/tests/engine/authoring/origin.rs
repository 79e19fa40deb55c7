//! The gate: what stops a text depends on where it comes from.

use serde_json::{Value, json};
use soul_core::rules::Confidence;
use soul_core::scan::{File, scan};
use soul_engine::caller::Caller;
use soul_engine::store::Party;

use super::super::send;
use super::*;

/// A text whose worst finding is an error of medium confidence: a zero-width space in a word.
const DOUBTFUL: &str = "You are a cal\u{200b}m helper.\n";

fn caller(kind: &str) -> Caller {
    Caller::local(Party::new(kind, "tester"), "test")
}

fn code_of(home: &Home, error: Error) -> String {
    error.report(&home.keeper()).code
}

/// Every way of writing a text, with the code of the refusal.
fn writes(text: &str) -> [(&'static str, Value, &'static str); 4] {
    [
        ("write", json!({ "agent": "novice", "create": true, "body": text }), "soul_poisoned"),
        ("library.create", json!({ "name": "Ops", "content": text }), "soul_poisoned"),
        ("memory.add", json!({ "agent": "coder", "text": text }), "memory_poisoned"),
        ("record", json!({ "agent": "coder" }), "soul_poisoned"),
    ]
}

#[test]
fn the_text_is_doubtful() {
    let report = scan(&[File { path: "SOUL.md", bytes: DOUBTFUL.as_bytes() }]);
    let worst = report.findings.iter().filter(|finding| finding.is_confident_error()).map(|finding| finding.confidence);
    assert_eq!(worst.max(), Some(Confidence::Medium));
}

#[test]
fn a_persons_own_text_is_refused_for_high_confidence_only() {
    for (operation, request, _) in writes(DOUBTFUL) {
        let home = Home::new();
        fs::write(home.soul(), DOUBTFUL).unwrap();
        let answer = send(&home.keeper(), &caller("user"), operation, &request).unwrap();
        assert!(!answer["findings"].as_array().unwrap().is_empty(), "{operation}: {answer}");
        // A warning is no poison.
        let keeper = home.keeper();
        let is_poison = |event: &soul_engine::store::Event| event.event.kind == EventKind::Poison;
        assert!(!events(&keeper).iter().any(is_poison), "{operation}");
    }
    for (operation, request, code) in writes(POISON) {
        let home = Home::new();
        fs::write(home.soul(), POISON).unwrap();
        let refused = send(&home.keeper(), &caller("user"), operation, &request).unwrap_err();
        assert_eq!(code_of(&home, refused), code, "{operation}");
    }
}

#[test]
fn what_others_bring_is_refused_from_medium_confidence_on() {
    for kind in ["agent", "client", "ci", "token", "extension", "sync", "registry", "import", "outside"] {
        for (operation, mut request, code) in writes(DOUBTFUL) {
            let home = Home::new();
            fs::write(home.soul(), DOUBTFUL).unwrap();
            let refused = send(&home.keeper(), &caller(kind), operation, &request).unwrap_err();
            assert_eq!(code_of(&home, refused), code, "{kind} {operation}");
            if operation == "write" || operation == "memory.add" {
                request["force"] = "a fixture".into();
                send(&home.keeper(), &caller(kind), operation, &request).unwrap();
            }
        }
    }
    let home = Home::new();
    home.config("[scan]\non_write = \"warn\"\n");
    let [(operation, request, _), ..] = writes(DOUBTFUL);
    send(&home.keeper(), &caller("agent"), operation, &request).unwrap();
}

#[test]
fn a_rollback_passes_the_gate_of_who_asks_for_it() {
    let home = Home::new();
    let keeper = home.keeper();
    let doubtful = put(&keeper, DOUBTFUL, None).unwrap().revision.sealed.id;
    put(&keeper, ONE, digest(&keeper).as_deref()).unwrap();
    let request = json!({ "agent": "coder", "revision_id": doubtful, "expected_digest": digest(&keeper) });
    let refused = send(&keeper, &caller("agent"), "rollback", &request).unwrap_err();
    assert_eq!(code_of(&home, refused), "soul_poisoned");
    send(&keeper, &caller("user"), "rollback", &request).unwrap();
    assert_eq!(home.text().as_deref(), Some(DOUBTFUL));
}
