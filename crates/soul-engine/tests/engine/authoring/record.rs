//! The record: read page by page, compared, and verified.

use super::*;

#[test]
fn pages_of_history_join_without_a_gap() {
    let home = Home::new();
    let keeper = home.keeper();
    for n in 0..25 {
        put(&keeper, &format!("Body {n}.\n"), digest(&keeper).as_deref()).unwrap();
    }
    let mut cursor = None;
    let mut seen = Vec::new();
    loop {
        let request = history::Request { agent: coder(), limit: Limit::new(10), cursor, bodies: true, diffs: true };
        let page = run(&keeper, request).unwrap();
        seen.extend(page.revisions.iter().map(|entry| entry.body.clone().unwrap()));
        let diff = page.revisions[0].diff.clone().unwrap();
        assert!(diff.contains(&format!("+{}", page.revisions[0].body.as_deref().unwrap())), "{diff}");
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, (0..25).rev().map(|n| format!("Body {n}.\n")).collect::<Vec<_>>());
    let cursor = Some(Cursor::from("x".to_owned()));
    let bad = history::Request { agent: coder(), limit: Limit::new(1), cursor, bodies: false, diffs: false };
    assert!(matches!(run(&keeper, bad), Err(Error::Cursor(_))));
}

#[test]
fn a_tampered_revision_is_reported() {
    let tampered = [
        ("UPDATE agent_soul_revisions SET actor_ref = 'somebody' WHERE seq = 3", 3),
        ("UPDATE agent_soul_revisions SET body = CAST('Other.' AS BLOB) WHERE seq = 2", 2),
        ("UPDATE agent_soul_revisions SET new_digest = 'nonsense' WHERE seq = 4", 4),
        ("UPDATE agent_soul_revisions SET created_at = '2020-01-01T00:00:00.000000Z' WHERE seq = 1", 1),
        (
            "UPDATE agent_soul_revisions SET chain = (SELECT chain FROM agent_soul_revisions WHERE seq = 1) WHERE seq = 2",
            2,
        ),
        ("DELETE FROM agent_soul_revisions WHERE seq = 2", 3),
        ("DELETE FROM agent_soul_revisions WHERE seq = 1", 2),
        ("UPDATE agent_soul_revisions SET action = 'adopt' WHERE seq = 5", 5),
    ];
    for (sql, broken) in tampered {
        let home = Home::new();
        let ids: Vec<_> = (0..5)
            .map(|n| {
                let keeper = home.keeper();
                put(&keeper, &format!("Body {n}.\n"), digest(&keeper).as_deref()).unwrap().revision.sealed.id
            })
            .collect();
        let database = rusqlite::Connection::open(home.0.path().join("keeper.db")).unwrap();
        assert_eq!(database.execute(sql, []).unwrap(), 1);
        drop(database);
        let audit = run(&home.keeper(), audit::verify::Request::default()).unwrap();
        assert!(!audit.ok, "{sql}");
        assert_eq!(audit.first_broken.as_ref(), Some(&ids[broken - 1]), "{sql}");
    }
}

#[test]
fn a_truncated_chain_is_detected_by_a_head_that_was_kept() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let early = last(&keeper).chain.to_string();
    put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    let head = last(&keeper).chain.to_string();
    let ask = |heads: &[&String]| {
        let expect_heads = heads.iter().map(|head| head.parse().unwrap()).collect();
        run(&home.keeper(), audit::verify::Request { expect_heads }).unwrap()
    };
    assert!(ask(&[&head, &early]).ok);
    let database = rusqlite::Connection::open(home.0.path().join("keeper.db")).unwrap();
    database.execute("DELETE FROM agent_soul_revisions WHERE seq = 2", []).unwrap();
    drop(database);
    // The home has noted it too, until someone removes the mark.
    assert!(!ask(&[]).ok);
    std::fs::remove_file(home.0.path().join("keeper.mark")).unwrap();
    assert!(ask(&[]).ok && ask(&[&early]).ok);
    let cut = ask(&[&head]);
    assert!(!cut.ok && cut.missing_heads == [head]);
}

#[test]
fn two_texts_are_compared_by_meaning() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, "---\nconstraints: [Never push to main.]\ntone: [calm]\n---\nBody.\n", None).unwrap();
    fs::write(home.soul(), "---\ntone: [calm, dry]\n---\nBody.\n").unwrap();
    let found = run(&keeper, diff::Request::new(coder())).unwrap();
    let changed: Vec<_> =
        found.changes.iter().map(|change| (format!("{:?}", change.change), change.field.as_str())).collect();
    assert_eq!(changed, [("Removed".to_owned(), "limit"), ("Added".to_owned(), "tone")]);
    let missing = diff::Side::Revision("rev_nope".to_owned().into());
    let request = diff::Request { from: Some(missing), ..diff::Request::new(coder()) };
    assert!(matches!(run(&keeper, request), Err(Error::Authoring(authoring::Error::RevisionNotFound(_)))));
}

#[test]
fn the_record_stays_valid_when_settings_and_files_beside_change() {
    let home = Home::new();
    let persona = "---\nname: Ada\nhexaco:\n  honesty: 0.7\n---\nYou help.\n";
    fs::write(home.agent().join("STYLE.md"), "Short.\n").unwrap();
    put(&home.keeper(), persona, None).unwrap();
    fs::write(home.agent().join("STYLE.md"), "Long.\n").unwrap();
    put(&home.keeper(), &format!("{persona}More.\n"), digest(&home.keeper()).as_deref()).unwrap();
    assert_chain(&home.keeper());
    home.config("[agents.soul]\nmax_body_bytes = 256\ncontext_projection_bytes = 256\n");
    let raw = look(&home.keeper()).raw_digest.unwrap().to_string();
    put(&home.keeper(), ONE, Some(&raw)).unwrap();
    assert_chain(&home.keeper());
}

#[test]
fn a_revision_names_its_file_even_if_the_agent_is_gone() {
    let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
    let workspace = place.path().join("project");
    let agent = workspace.join(".soul/agents/coder");
    let in_workspace = || {
        let roots = Roots { workspace: Some(workspace.clone()), home: Some(home.0.path().to_path_buf()), user: None };
        Keeper::open(roots).unwrap()
    };
    fs::create_dir_all(&agent).unwrap();
    put(&home.keeper(), "You are coder.\n", None).unwrap();
    put(&in_workspace(), "You are another.\n", None).unwrap();
    let named = |keeper: &Keeper| {
        let named = |entry: history::Entry| (entry.revision.agent_name.unwrap(), entry.revision.source_path);
        revisions(keeper, 9).into_iter().map(named).collect::<Vec<_>>()
    };
    let coder = |path: &str| [("coder".to_owned(), path.to_owned())];
    for _ in 0..2 {
        assert_eq!(named(&home.keeper()), coder("agents/coder/SOUL.md"));
        assert_eq!(named(&in_workspace()), coder(".soul/agents/coder/SOUL.md"));
        let _ = (fs::remove_dir_all(home.agent()), fs::remove_dir_all(&agent));
    }
}

#[test]
fn each_revision_says_what_it_changed() {
    let home = Home::new();
    let keeper = home.keeper();
    let text =
        |tone: &str, limits: &str| format!("---\nrole: Guide\ntone: [{tone}]\nconstraints:\n{limits}---\nBody.\n");
    put(&keeper, &text("calm", "  - Never push.\n  - Never lie.\n"), None).unwrap();
    put(&keeper, &text("gentle", "  - Never lie.\n"), digest(&keeper).as_deref()).unwrap();
    put(&keeper, &text("gentle", "  -   Never lie.\n"), digest(&keeper).as_deref()).unwrap();
    remove(&keeper, digest(&keeper).as_deref()).unwrap();
    let told = |page: &history::Response| -> Vec<String> {
        page.revisions.iter().map(|entry| entry.summary.clone().unwrap()).collect()
    };
    let ask = |limit, cursor| {
        let limit = Limit::new(limit);
        run(&keeper, history::Request { agent: coder(), limit, cursor, bodies: false, diffs: false }).unwrap()
    };
    let all = told(&ask(9, None));
    assert_eq!(all[..2], ["removed", "same meaning, different bytes"]);
    assert!(all[2].contains("removed a limit") && all[2].contains("calm → gentle"), "{all:?}");
    assert_eq!(all[3], "created");
    // A page says the same of its last revision as a page that has the one before it.
    let first = ask(3, None);
    assert_eq!(told(&first), all[..3]);
    assert_eq!(told(&ask(3, first.next_cursor)), all[3..]);
    // What was done to the file since is not on record, and said on the first page.
    fs::write(home.soul(), ONE).unwrap();
    assert!(ask(1, None).unrecorded_change.unwrap().contains("One"));
    assert_eq!(ask(1, Some(Cursor::from("2".to_owned()))).unrecorded_change, None);
}

#[test]
fn events_are_filtered_by_what_they_are_about() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::write(home.soul(), POISON).unwrap();
    put(&keeper, TWO, Some("sha256:0")).unwrap_err();
    let other = write::Request { create: true, ..write::Request::new("ada".parse().unwrap(), ONE.into()) };
    run(&keeper, other).unwrap();
    let ask = |filter: log::Request| -> Vec<&'static str> {
        run(&keeper, filter).unwrap().events.iter().map(|event| event.event.kind.as_str()).collect()
    };
    let kind = |kind: &str| log::Request { kind: Some(kind.parse().unwrap()), ..log::Request::default() };
    let all = ["soul.put", "soul.adopt", "soul.poison", "soul.put"];
    assert_eq!(ask(log::Request::default()), all);
    assert_eq!(ask(log::Request { agent: Some(coder()), ..log::Request::default() }), all[..3]);
    assert_eq!(ask(kind("soul.put")), ["soul.put", "soul.put"]);
    assert_eq!((ask(kind("soul")).len(), ask(kind("session")).len()), (4, 0));
    assert!("soul.pu".parse::<log::KindName>().is_err());
    for (actor, found) in [("tester", 2), ("user:tester", 2), ("outside", 2), ("user", 2), ("nobody", 0)] {
        assert_eq!(
            ask(log::Request { actor: Some(non_blank(actor)), ..log::Request::default() }).len(),
            found,
            "{actor}"
        );
    }
    let events = run(&keeper, log::Request::default()).unwrap().events;
    let moment = |index: usize| Some(Moment(events[index].time.into()));
    // From the first moment on, and before the second.
    assert_eq!(ask(log::Request { since: moment(3), ..log::Request::default() }), ["soul.put"]);
    assert_eq!(ask(log::Request { until: moment(1), ..log::Request::default() }), ["soul.put"]);
    assert_eq!(ask(log::Request { limit: Limit::new(1), ..kind("soul.put") }), ["soul.put"]);
    // Who follows a filtered log goes on after everything that was looked at.
    let page = run(&keeper, kind("session")).unwrap();
    assert_eq!((page.events.len(), page.next), (0, events[3].seq));
}
