use rusqlite::Connection;
use serde_json::json;
use soul_engine::fields::Lease;
use soul_engine::ids::SessionId;
use soul_engine::ops::session::start;
use soul_engine::ops::task::{add, claim, renew};
use soul_engine::store::Run;

use super::*;

fn claimed(keeper: &Keeper, session_id: &SessionId) -> Option<Run> {
    let request = claim::Request { session_id: session_id.clone(), lease_seconds: Lease::default() };
    run(keeper, request).unwrap().run
}

/// The clock of the wall is set forward or back: what is on record of a lease is then in the past or far ahead.
#[test]
fn a_lease_ends_in_time_whatever_the_clock_says() {
    let home = Home::new();
    let keeper = home.keeper();
    let session = run(&keeper, start::Request { agent: Some(coder()), soul: None }).unwrap().response.session.id;
    run(&keeper, add::Request { agent: None, payload: json!(1) }).unwrap();
    let first = claimed(&keeper, &session).unwrap();
    let database = Connection::open(home.store_file()).unwrap();
    let set = |sql: &str| {
        assert_eq!(database.execute(&format!("UPDATE task_runs SET {sql} WHERE state = 'claimed'"), []).unwrap(), 1)
    };
    // An hour's step forward: by the wall clock it has expired, and it has not.
    set("lease_expires_at = '2001-01-01T00:00:00.000000Z'");
    assert_eq!(claimed(&keeper, &session), None);
    // By the steady clock it has.
    set("lease_deadline = 0");
    let second = claimed(&keeper, &session).unwrap();
    assert_eq!(second.task_id, first.task_id);
    // Ten years ahead, claimed by a machine that was started again since.
    set("lease_expires_at = '2036-01-01T00:00:00.000000Z', lease_boot = 'another'");
    let third = claimed(&keeper, &session).unwrap();
    assert_eq!(third.task_id, first.task_id);
    // The same with nothing but the wall clock, which has not come to its end.
    let renewed =
        run(&keeper, renew::Request { run_id: third.id, lease_seconds: Lease::default() }).unwrap().run.unwrap();
    set("lease_boot = NULL, lease_deadline = NULL");
    assert_eq!(claimed(&keeper, &session), None);
    assert!(renewed.lease_expires_at > third.claimed_at);
}
