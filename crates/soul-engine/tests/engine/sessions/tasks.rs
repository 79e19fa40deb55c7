//! Tasks, each claimed by one session at a time.

use std::time::Duration;

use super::*;

#[test]
fn a_session_claims_the_oldest_task_that_is_for_it() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::create_dir(home.0.path().join("agents/helper")).unwrap();
    let session = begin(&keeper).response.session;
    for (agent, n) in [(Some("helper"), 1), (Some("coder"), 2), (None, 3)] {
        add_task(&keeper, agent, json!(n)).unwrap();
    }
    let run = claim(&keeper, &session.id, Lease::default()).unwrap().unwrap();
    assert_eq!(run.payload, json!(2));
    let soul = &run.metadata["soul"];
    assert_eq!(soul["digest"], json!(session.soul_digest));
    assert_eq!(soul["snapshot_id"].as_str(), session.soul_snapshot_id.as_ref().map(|id| id.as_str()));
    assert_eq!((&soul["agent_name"], &soul["captured_at"]), (&json!("coder"), &json!(session.captured_at)));
    // What the file says now is not what the session is.
    fs::write(home.soul(), "---\ntools: x\n---\n").unwrap();
    assert_eq!(claim(&keeper, &session.id, Lease::default()).unwrap().unwrap().payload, json!(3));
    assert_eq!(claim(&keeper, &session.id, Lease::default()).unwrap(), None);
    let unknown = add_task(&keeper, Some("nobody"), json!(0));
    assert!(matches!(unknown, Err(Error::Soul(SoulError::AgentNotFound(_)))));
}

#[test]
fn an_expired_lease_gives_the_task_back() {
    let home = Home::new();
    let keeper = home.keeper();
    let session = begin(&keeper).response.session;
    add_task(&keeper, None, json!({})).unwrap();
    let first = claim(&keeper, &session.id, Lease::default()).unwrap().unwrap();
    assert_eq!(first.metadata, json!({}));
    assert_eq!(claim(&keeper, &session.id, Lease::default()).unwrap(), None);
    let renew = |lease_seconds| run(&keeper, renew::Request { run_id: first.id.clone(), lease_seconds });
    let expiry = |seconds| renew(Lease::from_seconds(seconds).unwrap()).unwrap().run.unwrap().lease_expires_at;
    assert!(expiry(120) > first.lease_expires_at);
    assert!(expiry(1) < first.lease_expires_at);
    std::thread::sleep(Duration::from_millis(1100));
    // Expired is expired, whether or not another has it yet.
    let over = |result, state| matches!(result, Err(Error::Session(SessionError::RunOver(_, over))) if over == state);
    assert!(over(renew(Lease::default()), RunState::Expired));
    let second = claim(&keeper, &session.id, Lease::default()).unwrap().unwrap();
    assert_eq!(second.task_id, first.task_id);
    let end = |claimed: &Run| run(&keeper, finish::Request { run_id: claimed.id.clone(), failed: true });
    assert!(over(end(&first), RunState::Expired));
    assert_eq!(end(&second).unwrap().run.unwrap().state, RunState::Failed);
    assert!(over(end(&second), RunState::Failed));
    assert_eq!(claim(&keeper, &session.id, Lease::default()).unwrap(), None);
}
