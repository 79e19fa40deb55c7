//! Blank texts for optional keys, as clients send them that fill in every field of a form.

use serde_json::{Value, json};
use soul_engine::ops::{self, Error, write};
use soul_engine::{Grant, Keeper};

use super::callers::requests::{World, rows};
use super::{Home, POISON, actions, digest, non_blank, put, run, send, tester, writing};

const BLANKS: [&str; 3] = ["", " ", "\n\t"];

fn ask(keeper: &Keeper, operation: &str, request: &Value) -> Result<Value, Error> {
    send(keeper, &tester(), operation, request)
}

/// The same request with one key more.
fn with(request: &Value, key: &str, value: &str) -> Value {
    let mut request = request.clone();
    request[key] = value.into();
    request
}

/// A home with a clean soul in `coder` and in the library, whose revisions before were poisoned, and the requests
/// that would poison each.
fn poisonable() -> (Home, Vec<(&'static str, Value)>) {
    let home = Home::new();
    let keeper = home.keeper();
    let force = Some(non_blank("a fixture"));
    let poisoned = run(&keeper, write::Request { force, ..writing(POISON, None) }).unwrap().revision.sealed.id;
    put(&keeper, "You help.\n", digest(&keeper).as_deref()).unwrap();
    let create = json!({ "name": "Ops", "content": POISON, "force": "a fixture" });
    let created = ask(&keeper, "library.create", &create).unwrap()["revisionId"].take();
    ask(&keeper, "library.update", &json!({ "id": "ops", "content": "You help." })).unwrap();
    let expected_digest = digest(&keeper);
    let requests = vec![
        ("write", json!({ "agent": "coder", "body": POISON, "expected_digest": expected_digest })),
        ("rollback", json!({ "agent": "coder", "revision_id": poisoned, "expected_digest": expected_digest })),
        ("library.create", json!({ "name": "New", "content": POISON })),
        ("library.update", json!({ "id": "ops", "content": POISON })),
        ("library.rollback", json!({ "id": "ops", "revision_id": created })),
    ];
    (home, requests)
}

#[test]
fn a_blank_force_lets_no_poison_in() {
    for index in 0..poisonable().1.len() {
        let (home, requests) = poisonable();
        let keeper = home.keeper();
        let (operation, request) = &requests[index];
        let before = actions(&keeper);
        for request in BLANKS.map(|blank| with(request, "force", blank)).into_iter().chain([request.clone()]) {
            let refused = ask(&keeper, operation, &request).unwrap_err();
            assert_eq!(refused.fault().code, "soul_poisoned", "{operation} {request}");
        }
        assert_eq!((home.text().as_deref(), actions(&keeper)), (Some("You help.\n"), before), "{operation}");
        let soul = ask(&keeper, "library.show", &json!({ "id": "ops" })).unwrap();
        assert_eq!(soul["content"], "You help.", "{operation}");
        // The same request is done for a reason.
        ask(&keeper, operation, &with(request, "force", "a test")).unwrap();
    }
}

#[test]
fn a_blank_force_deletes_no_soul_in_use() {
    let home = Home::new();
    for blank in BLANKS {
        let request = json!({ "id": "default", "force": blank });
        let refused = ask(&home.keeper(), "library.delete", &request).unwrap_err();
        assert_eq!(refused.fault().code, "soul_default", "{blank:?}");
    }
}

#[test]
fn a_blank_idempotency_key_makes_every_change_anew() {
    let home = Home::new();
    let keeper = home.keeper();
    for (blank, count) in BLANKS.into_iter().zip(1..) {
        let body = format!("You help {count} people.\n");
        let request = json!({ "agent": "coder", "body": body, "idempotency_key": blank });
        let request = match digest(&keeper) {
            Some(digest) => with(&request, "expected_digest", &digest),
            None => request,
        };
        let written = ask(&keeper, "write", &request).unwrap();
        assert_eq!(written["revision"]["idempotency_key"], Value::Null);
        assert_eq!(actions(&keeper).len(), count);
    }
}

/// Keys that name what a request is about, or are texts of their own: a blank one is not an absent one.
/// Rules that say nothing would let everything pass, so they are refused.
const SUBJECTS: [&str; 10] =
    ["agent", "soul", "session_id", "body", "base", "situation", "task", "rules", "baseline", "message"];

#[test]
fn a_blank_option_is_an_absent_one() {
    let world = World::new();
    let keeper = world.home.keeper();
    let mut checked = Vec::new();
    // The first of two equal proposals is kept, and the second response refers to it.
    let changes = ["library.select", "propose"];
    // They need a path on this machine, which is never part of a request.
    let local = ["pack", "registry.check", "registry.index"];
    let is_asked = |name: &str| !changes.contains(&name) && !local.contains(&name);
    for row in rows(&world).iter().filter(|row| row.grant == Grant::Read && is_asked(row.operation)) {
        let is_optional = |key: &str, schema: &Value| {
            schema["type"] == json!(["string", "null"]) && row.request.get(key).is_none() && !SUBJECTS.contains(&key)
        };
        let shape = ops::find(row.operation).unwrap().request();
        for (key, _) in shape.properties.iter().filter(|(key, schema)| is_optional(key, schema)) {
            let answer = |request: &Value| {
                let answer = ask(&keeper, row.operation, request);
                let mut answer = answer.unwrap_or_else(|error| panic!("{} {request}: {error}", row.operation));
                // How long it took differs each time.
                answer.as_object_mut().unwrap().remove("took_us");
                answer
            };
            assert_eq!(answer(&with(&row.request, key, " ")), answer(&row.request), "{} {key}", row.operation);
            checked.push(key.as_str());
        }
    }
    for key in ["cursor", "dialect", "file_name", "from", "topic", "now", "state", "id"] {
        assert!(checked.contains(&key), "{key} is optional nowhere");
    }
}

#[test]
fn blank_rules_and_baselines_are_refused() {
    let world = World::new();
    let keeper = world.home.keeper();
    for key in ["rules", "baseline"] {
        let request = with(&json!({ "agent": "coder" }), key, "");
        assert!(ask(&keeper, "scan", &request).is_err(), "{key}");
    }
}

#[test]
fn a_blank_message_is_refused() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, "You help.\n", None).unwrap();
    let expected_digest = digest(&keeper);
    for (operation, request) in [
        ("write", json!({ "agent": "coder", "body": "You help more.\n", "expected_digest": expected_digest })),
        ("rollback", json!({ "agent": "coder", "revision_id": "@", "expected_digest": expected_digest })),
        ("undo", json!({ "agent": "coder", "expected_digest": expected_digest })),
        ("delete", json!({ "agent": "coder", "expected_digest": expected_digest })),
        ("record", json!({ "agent": "coder" })),
        ("new", json!({ "agent": "ada" })),
    ] {
        for blank in BLANKS {
            let refused = ask(&keeper, operation, &with(&request, "message", blank)).unwrap_err();
            assert_eq!(refused.fault().code, "bad_request", "{operation}: {refused}");
            assert!(refused.to_string().contains("must not be blank"), "{operation}: {refused}");
        }
    }
    assert_eq!(actions(&keeper).len(), 1);
}

#[test]
fn a_blank_name_is_refused() {
    for (operation, request) in [
        ("inspect", json!({ "agent": "" })),
        ("inspect", json!({ "soul": "" })),
        ("session.start", json!({ "agent": "" })),
        ("session.start", json!({ "soul": "" })),
        ("session.list", json!({ "agent": "" })),
        ("session.show", json!({ "session_id": "" })),
        ("task.add", json!({ "agent": "" })),
        ("task.finish", json!({ "run_id": "" })),
        ("memory.add", json!({ "agent": "", "text": "x" })),
        ("library.show", json!({ "id": "" })),
        ("token.revoke", json!({ "id": "" })),
    ] {
        assert!(ask(&Home::new().keeper(), operation, &request).is_err(), "{operation} {request}");
    }
}

#[test]
fn a_blank_dialect_is_none_and_the_detected_one_is_pinned() {
    let home = Home::new();
    let keeper = home.keeper();
    let soul = "---\nname: Coder\nhexaco:\n  openness: 0.6\n---\nYou code.\n";
    let written = ask(&keeper, "write", &json!({ "agent": "coder", "body": soul, "dialect": "" })).unwrap();
    assert_eq!((&written["revision"]["dialect"], &written["soul"]["dialect"]), (&json!("agentos"), &json!("agentos")));
}

#[test]
fn a_blank_session_shares_the_budget_of_callers_that_name_none() {
    let world = World::new();
    let keeper = world.home.keeper();
    let step = json!({ "agent": "coder", "trait": "openness", "delta": 0.1, "reason": "because" });
    ask(&keeper, "persona.adapt", &step).unwrap();
    for blank in BLANKS {
        let stepped = ask(&keeper, "persona.adapt", &with(&step, "session", blank)).unwrap();
        assert_eq!((&stepped["session_total"], &stepped["remaining_budget"]), (&json!(0.15), &json!(0.0)), "{blank:?}");
    }
}

#[test]
fn a_blank_step_does_not_revert_everything() {
    let world = World::new();
    let keeper = world.home.keeper();
    ask(&keeper, "persona.mood", &json!({ "agent": "coder", "set": "focused" })).unwrap();
    for blank in BLANKS {
        let refused = ask(&keeper, "persona.revert", &json!({ "agent": "coder", "to": blank }));
        assert!(refused.is_err(), "{blank:?}");
    }
    let mood = ask(&keeper, "persona.mood", &json!({ "agent": "coder" })).unwrap();
    assert_eq!(mood["current"], "focused");
}
