//! What makes an answer stale, and what does not.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;
use soul_engine::clock::Time;
use soul_engine::freshness::Freshness;
use soul_engine::ops::{self, Answer};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

use super::Home;

const GUIDE: &str = "---\nname: Ada\nhexaco: {openness: 0.5}\n---\nYou are Ada.\n";

/// Runs an operation, as a service does.
fn call(keeper: &Keeper, operation: &str, request: serde_json::Value) -> Answer {
    let caller = Caller::local(Party::new("user", "operator"), "test");
    let ready = ops::find(operation).unwrap().read(request).unwrap();
    ready.run(&Context::new(keeper, &caller)).unwrap_or_else(|error| panic!("{operation}: {error}"))
}

fn context_of(keeper: &Keeper, agent: &str) -> Freshness {
    call(keeper, "context", json!({ "agent": agent })).freshness.unwrap()
}

fn home() -> Home {
    let home = Home::new();
    for name in ["ada", "bea"] {
        let folder = home.0.path().join("agents").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SOUL.md"), GUIDE).unwrap();
    }
    home
}

#[test]
fn an_answer_is_stale_when_what_it_is_about_was_changed_and_not_before() {
    let home = home();
    let (keeper, other) = (home.keeper(), home.keeper());
    let started = |keeper: &Keeper| {
        let answer = call(keeper, "session.start", json!({ "agent": "ada" })).json;
        serde_json::from_slice::<serde_json::Value>(&answer).unwrap()["session"]["id"].clone()
    };
    let session = started(&keeper);
    let of_session = |keeper: &Keeper| call(keeper, "context", json!({ "session_id": session })).freshness.unwrap();
    let adapt = |agent: &str| json!({ "agent": agent, "trait": "openness", "delta": 0.05, "reason": "x" });
    let write = |agent: &str, text: &str| {
        let seen: serde_json::Value =
            serde_json::from_slice(&call(&keeper, "inspect", json!({ "agent": agent })).json).unwrap();
        json!({ "agent": agent, "body": format!("{GUIDE}{text}\n"), "expected_digest": seen["digest"] })
    };
    // Changes that others make, in this process and in another one, about other things.
    for (keeper, by) in [(&keeper, "this process"), (&other, "another process")] {
        let (ada, session) = (context_of(keeper, "ada"), of_session(keeper));
        for round in 0..3 {
            call(keeper, "write", write("bea", &format!("{by} {round}")));
            call(keeper, "persona.adapt", adapt("bea"));
            call(keeper, "task.add", json!({ "payload": {} }));
            started(keeper);
            assert!(session.holds(keeper), "{by}");
        }
        // A session may have pinned the dialect of its agent.
        assert!(!ada.holds(keeper));
        let ada = context_of(keeper, "ada");
        call(keeper, "write", write("bea", by));
        call(keeper, "token.create", json!({ "role": "viewer" }));
        assert!(ada.holds(keeper), "{by}");
    }
    // Changes about the same.
    for (by, name) in [(&keeper, "this process"), (&other, "another process")] {
        let ada = context_of(&keeper, "ada");
        call(by, "persona.adapt", adapt("ada"));
        assert!(!ada.holds(&keeper), "{name}");
        let ada = context_of(&keeper, "ada");
        call(by, "write", write("ada", name));
        assert!(!ada.holds(&keeper), "{name}");
        let bound = of_session(&keeper);
        call(by, "session.refresh", json!({ "session_id": session }));
        assert!(!bound.holds(&keeper), "{name}");
    }
}

#[test]
fn many_changes_at_once_leave_nothing_stale() {
    let home = home();
    let (keeper, other) = (home.keeper(), home.keeper());
    call(&keeper, "session.start", json!({ "agent": "ada" }));
    let ada = context_of(&keeper, "ada");
    // More than are read at a time.
    for _ in 0..1100 {
        call(&other, "task.add", json!({ "payload": {} }));
    }
    call(&other, "persona.adapt", json!({ "agent": "ada", "trait": "openness", "delta": 0.05, "reason": "x" }));
    assert!(!ada.holds(&keeper));
}

/// A persona is kept until the second at which it changes by itself.
#[test]
fn a_persona_is_kept_until_it_changes_with_time() {
    let home = home();
    let now = Arc::new(AtomicI64::new(1_800_000_000));
    let clock = Arc::clone(&now);
    let roots = Roots { workspace: None, home: Some(home.0.path().to_path_buf()), user: None };
    let keeper = Keeper::open(roots).unwrap();
    let keeper = keeper.with_clock(Arc::new(move || Time::of_seconds(clock.load(Ordering::Relaxed))));
    let plain = context_of(&keeper, "ada");
    now.fetch_add(400 * 86_400, Ordering::Relaxed);
    assert!(plain.holds(&keeper), "traits that nobody has changed stay");
    call(&keeper, "persona.adapt", json!({ "agent": "ada", "trait": "openness", "delta": 0.1, "reason": "x" }));
    let adapted = context_of(&keeper, "ada");
    let today = now.load(Ordering::Relaxed);
    let midnight = (today / 86_400 + 1) * 86_400;
    now.store(midnight - 1, Ordering::Relaxed);
    assert!(adapted.holds(&keeper), "a step fades by the day");
    now.store(midnight, Ordering::Relaxed);
    assert!(!adapted.holds(&keeper));
    // A clock that is set back shows what was true then.
    let later = context_of(&keeper, "ada");
    now.store(today, Ordering::Relaxed);
    assert!(!later.holds(&keeper));
}
