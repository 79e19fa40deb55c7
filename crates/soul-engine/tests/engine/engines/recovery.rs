use std::sync::Arc;

use serde_json::json;
use soul_core::digest::RawDigest;
use soul_engine::ops::{backup, restore_backup};
use soul_engine::{Failpoint, Step};

use super::*;
use crate::{digest, last};

/// A change stops after each of its steps, by an error and by the end of the process; the next keeper, wherever it
/// is, ends it or takes it back, and goes on.
pub(super) fn any_keeper_ends_what_another_has_begun(fleet: &Fleet) {
    for (number, step) in Step::ALL.into_iter().enumerate() {
        let before = fleet.text(number).unwrap();
        let body = format!("---\nrole: Failing\n---\nStopped at step {number}.\n");
        let failpoint: Failpoint =
            Arc::new(move |at| if at == step { Err(std::io::Error::other("injected")) } else { Ok(()) });
        let keeper = fleet.keeper(number).with_failpoint(failpoint);
        let request = json!({ "agent": "coder", "body": body, "expected_digest": digest(&keeper) });
        let failed = send(&keeper, &tester(), "write", &request).unwrap_err();
        assert!(failed.to_string().contains("injected"), "{step:?}: {failed}");
        check(fleet, number, step, &before, &body);

        let before = fleet.text(number).unwrap();
        crate::failpoints::die_at(&fleet.homes[number % fleet.homes.len()], step);
        check(fleet, number, step, &before, crate::failpoints::NEW);
    }
}

fn check(fleet: &Fleet, number: usize, step: Step, before: &str, after: &str) {
    let is_made = matches!(step, Step::Replaced | Step::Synced | Step::Settled);
    let next = fleet.keeper(number + 1);
    let text = fleet.text(number + 1).unwrap();
    assert_eq!(text, if is_made { after } else { before }, "{step:?}");
    assert_eq!(last(&next).sealed.raw_digest, Some(RawDigest::of(text.as_bytes())), "{step:?}");
    let body = format!("---\nrole: Next\n---\nAfter step {number}, {is_made}, {}.\n", text.len());
    let request = json!({ "agent": "coder", "body": body, "expected_digest": digest(&next) });
    send(&next, &tester(), "write", &request).unwrap();
    assert_eq!(fleet.text(number + 2), Some(body));
}

/// Cuts the connections that hold locks.
const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

#[test]
fn who_has_lost_the_lock_changes_nothing() {
    let fleet = Arc::new(Fleet::new(Engine::PostgresAlone));
    let (before, others) = (fleet.text(0).unwrap(), Arc::clone(&fleet));
    let failpoint: Failpoint = Arc::new(move |at| {
        if at == Step::Staged {
            Server::shared().psql(&others.database, CUT);
            // A reader of the record ends what looks interrupted.
            assert_eq!(crate::actions(&others.keeper(1)), ["put"]);
        }
        Ok(())
    });
    let keeper = fleet.keeper(0).with_failpoint(failpoint);
    let request = json!({ "agent": "coder", "body": TWO, "expected_digest": digest(&keeper) });
    assert_eq!(code(&keeper, send(&keeper, &tester(), "write", &request)), "displaced");
    assert_eq!(fleet.text(2), Some(before));
    fleet.ask(0, "write", request).unwrap();
    assert_eq!(crate::actions(&fleet.keeper(1)), ["put", "put"]);
    assert_chain(&fleet.keeper(2));
}

#[test]
fn a_copy_of_a_later_time_than_its_database_is_made_anew() {
    let fleet = Fleet::new(Engine::PostgresAlone);
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
    let copy = fleet.homes[0].0.path().join("cache/database");
    let state = fs::read_to_string(copy.join("state.json")).unwrap();
    let mut state: Value = serde_json::from_str(&state).unwrap();
    // As after a restore: what this machine has seen was never there.
    state["moment"] = json!(u64::MAX.to_string());
    fs::write(copy.join("state.json"), state.to_string()).unwrap();
    fs::create_dir(copy.join("agents/later")).unwrap();
    fs::write(copy.join("agents/later/SOUL.md"), TWO).unwrap();
    fs::write(copy.join("agents/coder/SOUL.md"), TWO).unwrap();
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
    assert_eq!(code(&fleet.keeper(0), fleet.ask(0, "show", json!({ "agent": "later" }))), "agent_not_found");
}

#[test]
fn what_somebody_writes_into_the_copy_reaches_nobody() {
    let fleet = Fleet::new(Engine::PostgresAlone);
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
    let copy = fleet.homes[0].0.path().join("cache/database/agents");
    // What happens within one tick of the file system's clock cannot be told apart.
    let tick = || std::thread::sleep(std::time::Duration::from_millis(50));
    tick();
    fs::write(copy.join("coder/SOUL.md"), TWO).unwrap();
    fs::write(copy.join("coder/STYLE.md"), "Shout.\n").unwrap();
    fs::create_dir(copy.join("ghost")).unwrap();
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
    assert!(!copy.join("coder/STYLE.md").exists() && !copy.join("ghost").exists());
    tick();
    fs::remove_dir_all(copy.join("coder")).unwrap();
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
}

#[test]
fn a_copy_is_of_one_database_and_not_of_another_with_the_same_rows() {
    let fleet = Fleet::new(Engine::PostgresAlone);
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
    let file = fleet.homes[1].0.path().join("backup.db");
    crate::run(&fleet.keeper(1), backup::Request { file: file.clone() }).unwrap();
    fleet
        .ask(1, "write", json!({ "agent": "coder", "body": TWO, "expected_digest": digest(&fleet.keeper(1)) }))
        .unwrap();
    assert_eq!(fleet.text(0).as_deref(), Some(TWO));
    // The backup has the same id, and numbers of transactions mean nothing in another database.
    let url = Server::shared().database();
    fleet.homes[0].config(&format!("[store]\nurl = \"{url}\"\nsouls = \"database\"\n"));
    crate::run(&fleet.keeper(0), restore_backup::Request { file }).unwrap();
    assert_eq!(fleet.text(0).as_deref(), Some(ONE));
}
