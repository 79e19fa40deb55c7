use serde_json::json;
use soul_engine::tokens::{Secret, authenticate};

use super::races::at_once;
use super::*;
use crate::digest;

fn start(fleet: &Fleet, number: usize) -> Value {
    fleet.ask(number, "session.start", json!({ "agent": "coder" })).unwrap()["session"].clone()
}

pub(super) fn sessions_keep_the_soul_that_they_began_with(fleet: &Fleet) {
    let session = start(fleet, 0);
    let identity = |number| {
        let request = json!({ "session_id": session["id"], "layer": "identity" });
        fleet.ask(number, "prompt", request).unwrap()["text"].as_str().unwrap().to_owned()
    };
    let begun = identity(1);
    let body = "---\nrole: Another\n---\nAnother body.\n";
    let write = json!({ "agent": "coder", "body": body, "expected_digest": digest(&fleet.keeper(1)) });
    fleet.ask(1, "write", write).unwrap();
    assert_eq!(identity(2), begun);
    let refresh = |number, expected: &Value| {
        fleet.ask(number, "session.refresh", json!({ "session_id": session["id"], "expected_digest": expected }))
    };
    assert_eq!(code(&fleet.keeper(0), refresh(1, &json!("sha256:0"))), "soul_conflict");
    refresh(2, &session["soul_digest"]).unwrap();
    assert!(identity(0).contains("Another body.") && identity(0) != begun);
    // A refresh of what someone else has refreshed is refused.
    assert_eq!(code(&fleet.keeper(0), refresh(0, &session["soul_digest"])), "soul_conflict");
    fleet.ask(1, "session.stop", json!({ "session_id": session["id"] })).unwrap();
    assert_eq!(
        fleet.ask(2, "session.show", json!({ "session_id": session["id"] })).unwrap()["session"]["state"],
        "stopped"
    );
}

pub(super) fn every_task_is_claimed_once(fleet: &Fleet) {
    const TASKS: usize = 40;
    for number in 0..TASKS {
        fleet.ask(number, "task.add", json!({ "payload": number })).unwrap();
    }
    let claimed = at_once(fleet, |number, keeper| {
        let session = start(fleet, number);
        let mut claimed = Vec::new();
        loop {
            let request = json!({ "session_id": session["id"] });
            let run = send(keeper, &tester(), "task.claim", &request).unwrap()["run"].clone();
            if run.is_null() {
                return claimed;
            }
            claimed.push(run["payload"].as_u64().unwrap());
            let finish = json!({ "run_id": run["id"] });
            send(keeper, &tester(), "task.finish", &finish).unwrap();
            assert_eq!(code(keeper, send(keeper, &tester(), "task.finish", &finish)), "run_over");
        }
    });
    let mut claimed: Vec<_> = claimed.into_iter().flatten().collect();
    claimed.sort_unstable();
    assert_eq!(claimed, (0..TASKS as u64).collect::<Vec<_>>());
    let done = fleet.ask(1, "task.list", json!({ "state": "done", "limit": 100 })).unwrap();
    assert_eq!(done["tasks"].as_array().unwrap().len(), TASKS);
}

pub(super) fn budgets_are_kept_to_by_all_together(fleet: &Fleet) {
    let body = "---\nname: Muse\nhexaco:\n  openness: 0.5\n---\nYou muse.\n";
    let write = json!({ "agent": "muse", "body": body, "create": true });
    fleet.ask(0, "write", write).unwrap();
    let moved = at_once(fleet, |_, keeper| {
        let request =
            json!({ "agent": "muse", "trait": "openness", "delta": 0.04, "reason": "because", "session": "one" });
        send(keeper, &tester(), "persona.adapt", &request).unwrap()["delta"].as_f64().unwrap()
    });
    // Eight steps of 0.04 are more than one session may take.
    let moved: f64 = moved.iter().sum();
    assert!((moved - 0.15).abs() < 1e-9, "{moved}");
    let history = fleet.ask(2, "persona.history", json!({ "agent": "muse" })).unwrap();
    assert_eq!(history["mutations"].as_array().unwrap().len(), 4, "{history}");
}

pub(super) fn the_library_and_its_selection_are_shared(fleet: &Fleet) {
    let create = |number: usize, content: &str| {
        fleet.ask(number, "library.create", json!({ "id": "ops", "name": "Ops", "content": content }))
    };
    create(0, "You run things.\n").unwrap();
    assert_eq!(code(&fleet.keeper(1), create(1, "You do not.\n")), "soul_id_taken");
    let shown = fleet.ask(2, "library.show", json!({ "id": "ops" })).unwrap();
    let update = |number: usize| {
        let content = format!("You run things, says {number}.\n");
        let request = json!({ "id": "ops", "content": content, "expected_digest": shown["digest"] });
        fleet.ask(number, "library.update", request)
    };
    update(1).unwrap();
    assert_eq!(code(&fleet.keeper(2), update(2)), "soul_conflict");
    fleet.ask(1, "library.select", json!({ "id": "ops" })).unwrap();
    for number in 0..3 {
        assert_eq!(fleet.ask(number, "library.current", json!({})).unwrap()["selectedSoulId"], "ops");
    }
    let history = fleet.ask(0, "library.history", json!({ "id": "ops" })).unwrap();
    assert_eq!(history["revisions"].as_array().unwrap().len(), 2);
}

pub(super) fn a_token_counts_everywhere_until_it_is_revoked(fleet: &Fleet) {
    let made = fleet.ask(0, "token.create", json!({ "role": "author" })).unwrap();
    let secret = Secret::from(made["secret"].as_str().unwrap().to_owned());
    let keepers: Vec<_> = (0..3).map(|number| fleet.keeper(number)).collect();
    assert!(keepers.iter().all(|keeper| authenticate(keeper, &secret).unwrap().is_some()));
    fleet.ask(2, "token.revoke", json!({ "id": made["token"]["id"] })).unwrap();
    assert!(keepers.iter().all(|keeper| authenticate(keeper, &secret).unwrap().is_none()));
}
