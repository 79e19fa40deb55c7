//! The soul of a session, from its start to its end.

use super::*;

#[test]
fn a_session_keeps_the_soul_that_it_started_with() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let before = identity(&keeper, &session.id);
    let snapshot = session.soul_snapshot_id.clone().unwrap();
    assert!(before.contains(&format!("Snapshot ID: {snapshot}")) && before.contains("First body."));
    put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    assert_eq!(identity(&keeper, &session.id), before);
    // A new session has the new soul, and the old one has it when it is refreshed.
    let other = begin(&keeper).response.session;
    assert!(identity(&keeper, &other.id).contains("Second body."));
    let refreshed = refresh(&keeper, &session.id, session.soul_digest.map(|digest| digest.to_string()).as_deref())
        .unwrap()
        .response
        .session;
    assert_eq!(refreshed.soul_snapshot_id, other.soul_snapshot_id);
    assert!(identity(&keeper, &session.id).contains("Second body."));
    // Nothing of it needs the file, or the directory.
    fs::remove_dir_all(home.agent()).unwrap();
    assert!(identity(&keeper, &session.id).contains("Second body."));
    let compact = compact(&keeper, &session.id);
    assert_eq!((compact.soul.role.as_str(), compact.soul.present), ("Two", true));
}

#[test]
fn a_refused_refresh_changes_nothing() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let before = identity(&keeper, &session.id);
    let conflict = |result: Result<Bound, Error>| match result.unwrap_err() {
        Error::Authoring(authoring::Error::Conflict { conflict, .. }) => conflict,
        error => panic!("{error}"),
    };
    assert_eq!(conflict(refresh(&keeper, &session.id, Some("sha256:0"))), Conflict::OtherSession);
    add_task(&keeper, None, json!(1)).unwrap();
    let claimed = claim(&keeper, &session.id, Lease::default()).unwrap().unwrap();
    assert_eq!(conflict(refresh(&keeper, &session.id, None)), Conflict::LiveRun(claimed.id.clone()));
    run(&keeper, finish::Request { run_id: claimed.id, failed: false }).unwrap();
    fs::write(home.soul(), "---\ntools: x\n---\n").unwrap();
    assert!(is_invalid(refresh(&keeper, &session.id, None)));
    assert!(is_invalid(start(&keeper)));
    assert_eq!(identity(&keeper, &session.id), before);
    run(&keeper, stop::Request { session_id: session.id.clone() }).unwrap();
    assert!(matches!(refresh(&keeper, &session.id, None), Err(Error::Session(SessionError::SessionStopped(_)))));
    // Resumed, it has what it had, and no file was read.
    run(&keeper, resume::Request { session_id: session.id.clone() }).unwrap();
    assert_eq!(identity(&keeper, &session.id), before);
    // A soul that is gone leaves nothing to be bound to.
    fs::remove_file(home.soul()).unwrap();
    let refreshed = refresh(&keeper, &session.id, session.soul_digest.map(|digest| digest.to_string()).as_deref())
        .unwrap()
        .response
        .session;
    assert_eq!((refreshed.soul_snapshot_id, refreshed.soul_digest), (None, None));
    assert_eq!(identity(&keeper, &session.id), "");
    let unknown = "sess_nope".to_owned().into();
    assert!(matches!(refresh(&keeper, &unknown, None), Err(Error::Session(SessionError::SessionNotFound(_)))));
}

#[test]
fn a_soul_written_while_souls_are_off_works_when_they_are_on() {
    let home = Home::new();
    home.config("[agents.soul]\nenabled = false\n");
    put(&home.keeper(), ONE, None).unwrap();
    let off = begin(&home.keeper());
    assert_eq!(off.response.session.soul_snapshot_id, None);
    assert!(!off.soul.active && !off.soul.enabled);
    assert_eq!(identity(&home.keeper(), &off.response.session.id), "");
    home.config("");
    let on = begin(&home.keeper()).response.session;
    assert!(identity(&home.keeper(), &on.id).contains("First body."));
    // Other limits are another snapshot of the same soul.
    home.config("[agents.soul]\ncontext_projection_bytes = 300\n");
    let less = begin(&home.keeper()).response.session;
    assert_eq!(less.soul_digest, on.soul_digest);
    assert_ne!(less.soul_snapshot_id, on.soul_snapshot_id);
    let context = compact(&home.keeper(), &less.id).soul;
    assert!(serde_json::to_vec(&context).unwrap().len() <= 300);
    let context = compact(&home.keeper(), &on.id).soul;
    assert!(!context.truncated, "a session keeps the limits it started with");
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
    let stopped = run(&keeper, stop::Request { session_id: second.session.id }).unwrap();
    assert_eq!(stopped.hooks.teardown.as_deref(), Some("Write the log.\n"));
    let stopped = run(&keeper, stop::Request { session_id: first.id }).unwrap();
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
    let request = spawn::Request { parent_id: parent.id.clone(), agent: "helper".parse().unwrap() };
    let child = run(&keeper, request).unwrap().response.session;
    assert_eq!(child.parent_id, Some(parent.id.clone()));
    assert_eq!(child.parent_soul_digest, parent.soul_digest);
    let text = identity(&keeper, &child.id);
    assert!(text.contains("Second body.") && !text.contains(&parent.soul_digest.unwrap().to_string()));
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
    let roots = Roots { workspace: Some(workspace), ..keeper.roots.clone() };
    let inside = Keeper::open(roots).unwrap();
    let refreshed = refresh(&inside, &session.id, None).unwrap().response.session;
    assert_eq!(refreshed.soul_digest, session.soul_digest);
    assert!(identity(&inside, &session.id).contains("First body."));
}

#[test]
fn a_tampered_snapshot_reaches_no_prompt() {
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
        let refused = prompt(&home.keeper(), Subject::Session(session.id), prompt::Part::Identity);
        assert!(matches!(refused, Err(Error::Store(_))), "{sql}");
        let audit = run(&home.keeper(), audit::verify::Request::default()).unwrap();
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
fn a_session_without_a_soul_says_why() {
    let home = Home::new();
    home.config("[agents.soul]\nenabled = false\n");
    put(&home.keeper(), ONE, None).unwrap();
    let session = begin(&home.keeper()).response.session;
    home.config("");
    let soul = compact(&home.keeper(), &session.id).soul;
    assert_eq!((soul.present, soul.enabled, soul.active), (true, false, Some(false)));
}

#[test]
fn memory_and_user_files_are_no_part_of_the_snapshot() {
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
    let full = |subject| prompt(&keeper, subject, prompt::Part::Full).unwrap().text;
    let text = |id: &SessionId| full(Subject::Session(id.clone()));
    assert!(text(&first.id).contains("\nRoberto\n") && text(&first.id).contains("# Monday\n"));
    assert!(text(&second.id).contains("\nAda\n") && text(&second.id).contains("# Tuesday\n"));
    // A refresh reads them again.
    refresh(&keeper, &first.id, None).unwrap();
    assert_eq!(text(&first.id), text(&second.id));
    // Except for the snapshot's id, a session has the prompt that its directory has.
    let now = full(Subject::Target(Target::Agent(coder())));
    let id = format!("Snapshot ID: {}\n", second.soul_snapshot_id.clone().unwrap());
    assert_eq!(text(&second.id).replace(&id, ""), now);
    write("RULES.md", "Never sleep.\n");
    let third = begin(&keeper).response.session;
    assert_ne!(third.soul_snapshot_id, second.soul_snapshot_id);
    fs::remove_dir_all(home.agent()).unwrap();
    assert!(text(&second.id).contains("Never lie.") && text(&third.id).contains("Never sleep."));
}
