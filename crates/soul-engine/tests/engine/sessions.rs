//! What a session is bound to, and what changes that.

use std::fs;
use std::time::Duration;

use serde_json::json;
use soul_core::digest::Digest;
use soul_engine::Keeper;
use soul_engine::ids::SessionId;
use soul_engine::ops::session::{Resolved, refresh, resume, spawn, start, stop};
use soul_engine::ops::task::{add, claim, finish, renew};
use soul_engine::ops::{Conflict, Error, Subject, context, prompt};
use soul_engine::store::{Outcome, Run, RunState};
use soul_engine::workspace::Target;

use super::{Home, asker, coder, digest, put};

const ONE: &str = "---\nrole: One\ntone: [calm]\n---\nFirst body.\n";
const TWO: &str = "---\nrole: Two\n---\nSecond body.\n";

fn begin(keeper: &Keeper) -> Resolved {
    start::run(keeper, start::Request { runs: start::Runs::Agent(coder()), asker: asker() }).unwrap()
}

fn again(keeper: &Keeper, id: &SessionId, expected: Option<&str>) -> Result<Resolved, Error> {
    let expected_digest = expected.map(str::to_owned);
    refresh::run(keeper, refresh::Request { session: id.clone(), expected_digest, asker: asker() })
}

fn said(keeper: &Keeper, id: &SessionId) -> String {
    prompt::run(
        keeper,
        prompt::Request { subject: Subject::Session(id.clone()), base: None, part: prompt::Part::Identity },
    )
    .unwrap()
    .text
}

fn take(keeper: &Keeper, id: &SessionId, lease: Duration) -> Result<Option<Run>, Error> {
    Ok(claim::run(keeper, claim::Request { session: id.clone(), lease, asker: asker() })?.run)
}

fn text(digest: Option<Digest>) -> Option<String> {
    digest.map(|digest| digest.to_string())
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_session_keeps_the_soul_that_it_started_with() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let before = said(&keeper, &session.id);
    let snapshot = session.soul_snapshot_id.clone().unwrap();
    assert!(before.contains(&format!("Snapshot ID: {snapshot}")) && before.contains("First body."));
    put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    assert_eq!(said(&keeper, &session.id), before);
    // A new session has the new soul, and the old one has it when it is refreshed.
    let other = begin(&keeper).response.session;
    assert!(said(&keeper, &other.id).contains("Second body."));
    let refreshed = again(&keeper, &session.id, text(session.soul_digest).as_deref()).unwrap().response.session;
    assert_eq!(refreshed.soul_snapshot_id, other.soul_snapshot_id);
    assert!(said(&keeper, &session.id).contains("Second body."));
    // Nothing of it needs the file, or the directory.
    fs::remove_dir_all(home.agent()).unwrap();
    assert!(said(&keeper, &session.id).contains("Second body."));
    let compact = context::run(&keeper, Subject::Session(session.id)).unwrap();
    assert_eq!((compact.soul.role.as_str(), compact.soul.present), ("Two", true));
}

#[test]
fn a_refresh_is_refused_for_a_reason_and_changes_nothing() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let before = said(&keeper, &session.id);
    let expect = |result: Result<Resolved, Error>| match result.unwrap_err() {
        Error::Conflict { conflict, .. } => conflict,
        error => panic!("{error}"),
    };
    assert_eq!(expect(again(&keeper, &session.id, Some("sha256:0"))), Conflict::OtherSession);
    add::run(&keeper, add::Request { agent: None, payload: json!(1), asker: asker() }).unwrap();
    let run = take(&keeper, &session.id, MINUTE).unwrap().unwrap();
    assert_eq!(expect(again(&keeper, &session.id, None)), Conflict::LiveRun(run.id.clone()));
    finish::run(&keeper, finish::Request { run: run.id, outcome: Outcome::Done, asker: asker() }).unwrap();
    fs::write(home.soul(), "---\ntools: x\n---\n").unwrap();
    assert!(matches!(again(&keeper, &session.id, None), Err(Error::Invalid(_))));
    assert!(matches!(
        start::run(&keeper, start::Request { runs: start::Runs::Agent(coder()), asker: asker() }),
        Err(Error::Invalid(_))
    ));
    assert_eq!(said(&keeper, &session.id), before);
    stop::run(&keeper, stop::Request { session: session.id.clone(), asker: asker() }).unwrap();
    assert!(matches!(again(&keeper, &session.id, None), Err(Error::SessionStopped(_))));
    // Resumed, it has what it had, and no file was read.
    resume::run(&keeper, resume::Request { session: session.id.clone(), asker: asker() }).unwrap();
    assert_eq!(said(&keeper, &session.id), before);
    // A soul that is gone leaves nothing to be bound to.
    fs::remove_file(home.soul()).unwrap();
    let refreshed = again(&keeper, &session.id, text(session.soul_digest).as_deref()).unwrap().response.session;
    assert_eq!((refreshed.soul_snapshot_id, refreshed.soul_digest), (None, None));
    assert_eq!(said(&keeper, &session.id), "");
    let unknown = "sess_nope".to_owned().into();
    assert!(matches!(again(&keeper, &unknown, None), Err(Error::SessionNotFound(_))));
}

#[test]
fn a_soul_written_while_souls_are_off_works_when_they_are_on() {
    let home = Home::new();
    home.config("[agents.soul]\nenabled = false\n");
    put(&home.keeper(), ONE, None).unwrap();
    let off = begin(&home.keeper());
    assert_eq!(off.response.session.soul_snapshot_id, None);
    assert!(!off.soul.inspected.active && !off.soul.enabled);
    assert_eq!(said(&home.keeper(), &off.response.session.id), "");
    home.config("");
    let on = begin(&home.keeper()).response.session;
    assert!(said(&home.keeper(), &on.id).contains("First body."));
    // Other limits are another snapshot of the same soul.
    home.config("[agents.soul]\ncontext_projection_bytes = 300\n");
    let less = begin(&home.keeper()).response.session;
    assert_eq!(less.soul_digest, on.soul_digest);
    assert_ne!(less.soul_snapshot_id, on.soul_snapshot_id);
    let compact = context::run(&home.keeper(), Subject::Session(less.id)).unwrap().soul;
    assert!(serde_json::to_vec(&compact).unwrap().len() <= 300);
    let compact = context::run(&home.keeper(), Subject::Session(on.id)).unwrap().soul;
    assert!(!compact.truncated, "a session keeps the limits it started with");
}

#[test]
fn a_snapshot_holds_every_authored_file() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let first = begin(&keeper).response.session;
    fs::write(home.agent().join("STYLE.md"), "Short sentences.\n").unwrap();
    fs::create_dir(home.agent().join("hooks")).unwrap();
    fs::write(home.agent().join("hooks/bootstrap.md"), "Read the log.\n").unwrap();
    fs::write(home.agent().join("hooks/teardown.md"), "Write the log.\n").unwrap();
    let second = begin(&keeper).response;
    assert_eq!(second.session.soul_digest, first.soul_digest);
    assert_ne!(second.session.soul_snapshot_id, first.soul_snapshot_id);
    assert_eq!(second.hooks.bootstrap.as_deref(), Some("Read the log.\n"));
    fs::write(home.agent().join("hooks/teardown.md"), "Burn the log.\n").unwrap();
    let stopped = stop::run(&keeper, stop::Request { session: second.session.id, asker: asker() }).unwrap();
    assert_eq!(stopped.hooks.teardown.as_deref(), Some("Write the log.\n"));
    let stopped = stop::run(&keeper, stop::Request { session: first.id, asker: asker() }).unwrap();
    assert_eq!(stopped.hooks.teardown, None);
}

#[test]
fn a_child_has_its_own_soul() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let parent = begin(&keeper).response.session;
    let helper = home.0.path().join("agents/helper");
    fs::create_dir(&helper).unwrap();
    fs::write(helper.join("SOUL.md"), TWO).unwrap();
    let request = spawn::Request { parent: parent.id.clone(), agent: "helper".parse().unwrap(), asker: asker() };
    let child = spawn::run(&keeper, request).unwrap().response.session;
    assert_eq!(child.parent_id, Some(parent.id.clone()));
    assert_eq!(child.parent_soul_digest, parent.soul_digest);
    let text = said(&keeper, &child.id);
    assert!(text.contains("Second body.") && !text.contains(&parent.soul_digest.unwrap().to_string()));
}

#[test]
fn tasks_go_to_whom_they_are_for_oldest_first() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::create_dir(home.0.path().join("agents/helper")).unwrap();
    let session = begin(&keeper).response.session;
    let ask = |agent: Option<&str>, n: i32| {
        let agent = agent.map(|agent| agent.parse().unwrap());
        add::run(&keeper, add::Request { agent, payload: json!(n), asker: asker() }).unwrap();
    };
    ask(Some("helper"), 1);
    ask(Some("coder"), 2);
    ask(None, 3);
    let run = take(&keeper, &session.id, MINUTE).unwrap().unwrap();
    assert_eq!(run.payload, json!(2));
    let soul = &run.metadata["soul"];
    assert_eq!(soul["digest"].as_str(), text(session.soul_digest).as_deref());
    assert_eq!(soul["snapshot_id"].as_str(), session.soul_snapshot_id.as_ref().map(|id| id.as_str()));
    assert_eq!(
        (soul["agent_name"].as_str(), soul["captured_at"].as_str()),
        (Some("coder"), Some(session.captured_at.to_string().as_str()))
    );
    // What the file says now is not what the session is.
    fs::write(home.soul(), "---\ntools: x\n---\n").unwrap();
    assert_eq!(take(&keeper, &session.id, MINUTE).unwrap().unwrap().payload, json!(3));
    assert_eq!(take(&keeper, &session.id, MINUTE).unwrap(), None);
    assert!(matches!(
        add::run(&keeper, add::Request { agent: Some("nobody".parse().unwrap()), payload: json!(0), asker: asker() }),
        Err(Error::AgentNotFound(_))
    ));
}

#[test]
fn an_expired_lease_gives_the_task_back() {
    let home = Home::new();
    let keeper = home.keeper();
    let session = begin(&keeper).response.session;
    add::run(&keeper, add::Request { agent: None, payload: json!({}), asker: asker() }).unwrap();
    let short = Duration::from_millis(50);
    let first = take(&keeper, &session.id, short).unwrap().unwrap();
    assert_eq!(first.metadata, json!({}));
    assert_eq!(take(&keeper, &session.id, short).unwrap(), None);
    let longer =
        renew::run(&keeper, renew::Request { run: first.id.clone(), lease: short * 4, asker: asker() }).unwrap();
    assert!(longer.run.unwrap().lease_expires_at > first.lease_expires_at);
    std::thread::sleep(short * 5);
    // Expired is expired, whether or not another has it yet.
    let over = renew::run(&keeper, renew::Request { run: first.id.clone(), lease: MINUTE, asker: asker() });
    assert!(matches!(over, Err(Error::RunOver(_, RunState::Expired))));
    let second = take(&keeper, &session.id, MINUTE).unwrap().unwrap();
    assert_eq!(second.task_id, first.task_id);
    let end = |run: &Run| {
        finish::run(&keeper, finish::Request { run: run.id.clone(), outcome: Outcome::Failed, asker: asker() })
    };
    assert!(matches!(end(&first), Err(Error::RunOver(_, RunState::Expired))));
    assert_eq!(end(&second).unwrap().run.unwrap().state, RunState::Failed);
    assert!(matches!(end(&second), Err(Error::RunOver(_, RunState::Failed))));
    assert_eq!(take(&keeper, &session.id, MINUTE).unwrap(), None);
}

#[test]
fn a_refresh_does_not_take_the_soul_of_a_namesake() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let workspace = home.0.path().join("cloned");
    fs::create_dir_all(workspace.join(".soul/agents/coder")).unwrap();
    fs::write(workspace.join(".soul/agents/coder/SOUL.md"), TWO).unwrap();
    let roots = soul_engine::workspace::Roots { workspace: Some(workspace), ..keeper.roots.clone() };
    let inside = Keeper::open(roots).unwrap();
    let refreshed = again(&inside, &session.id, None).unwrap().response.session;
    assert_eq!(refreshed.soul_digest, session.soul_digest);
    assert!(said(&inside, &session.id).contains("First body."));
}

#[test]
fn a_snapshot_that_was_changed_is_not_spoken() {
    let tampered = [
        "UPDATE agent_soul_snapshots SET profile_json = replace(profile_json, 'First', 'Evil')",
        "UPDATE agent_soul_snapshot_files SET body = CAST('Evil.' AS BLOB)",
        "DELETE FROM agent_soul_snapshot_files",
    ];
    for sql in tampered {
        let home = Home::new();
        put(&home.keeper(), ONE, None).unwrap();
        let session = begin(&home.keeper()).response.session;
        let database = rusqlite::Connection::open(home.0.path().join("keeper.db")).unwrap();
        assert_eq!(database.execute(sql, []).unwrap(), 1, "{sql}");
        drop(database);
        let request =
            prompt::Request { subject: Subject::Session(session.id), base: None, part: prompt::Part::Identity };
        assert!(matches!(prompt::run(&home.keeper(), request), Err(Error::Store(_))), "{sql}");
        let audit = soul_engine::ops::audit::run(&home.keeper(), Default::default(), &|| ()).unwrap();
        assert!(!audit.ok && audit.broken_snapshot == session.soul_snapshot_id, "{sql}");
    }
}

#[test]
fn hooks_do_not_need_a_soul() {
    let home = Home::new();
    fs::create_dir(home.agent().join("hooks")).unwrap();
    fs::write(home.agent().join("hooks/bootstrap.md"), "Begin.\n").unwrap();
    assert_eq!(begin(&home.keeper()).response.hooks.bootstrap.as_deref(), Some("Begin.\n"));
}

#[test]
fn a_session_without_a_soul_tells_why() {
    let home = Home::new();
    home.config("[agents.soul]\nenabled = false\n");
    put(&home.keeper(), ONE, None).unwrap();
    let session = begin(&home.keeper()).response.session;
    home.config("");
    let soul = context::run(&home.keeper(), Subject::Session(session.id)).unwrap().soul;
    assert_eq!((soul.present, soul.enabled, soul.active), (true, false, Some(false)));
}

fn whole(keeper: &Keeper, subject: Subject) -> String {
    let part = prompt::Part::Full(Box::default());
    prompt::run(keeper, prompt::Request { subject, base: None, part }).unwrap().text
}

#[test]
fn memories_and_the_user_make_no_other_soul() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let write = |name: &str, text: &str| fs::write(home.agent().join(name), text).unwrap();
    write("RULES.md", "Never lie.\n");
    write("USER.md", "Roberto\n");
    write("MEMORY.md", "# Monday\n");
    let first = begin(&keeper).response.session;
    write("USER.md", "Ada\n");
    write("MEMORY.md", "# Tuesday\n");
    let second = begin(&keeper).response.session;
    assert_eq!(first.soul_snapshot_id, second.soul_snapshot_id, "one bundle of authored files, one snapshot");
    let text = |id: &SessionId| whole(&keeper, Subject::Session(id.clone()));
    assert!(text(&first.id).contains("\nRoberto\n") && text(&first.id).contains("- Monday\n"));
    assert!(text(&second.id).contains("\nAda\n") && text(&second.id).contains("- Tuesday\n"));
    // A refresh tells it anew.
    again(&keeper, &first.id, None).unwrap();
    assert_eq!(text(&first.id), text(&second.id));
    // But for the snapshot's id, a session is told what its directory would be.
    let target = Target::Agent(coder());
    let now = whole(&keeper, Subject::Target(target, None));
    let id = format!("Snapshot ID: {}\n", second.soul_snapshot_id.clone().unwrap());
    assert_eq!(text(&second.id).replace(&id, ""), now);
    write("RULES.md", "Never sleep.\n");
    let third = begin(&keeper).response.session;
    assert_ne!(third.soul_snapshot_id, second.soul_snapshot_id);
    fs::remove_dir_all(home.agent()).unwrap();
    assert!(text(&second.id).contains("Never lie.") && text(&third.id).contains("Never sleep."));
}
