use super::*;

#[test]
fn a_fork_continues_the_history_and_both_sides_go_on() {
    let clones = Clones::new();
    let first = clones.write("a", TWO).unwrap().revision.sealed.id;
    let head = clones.verify().heads[0].chain.to_string();
    clones.copy("a", "b");
    let parent = clones.scope("a");
    let forked = fork(&clones.keeper("b"));
    assert_eq!((&forked.parent, forked.souls), (&parent, 1));
    assert_eq!(forked.scope, clones.scope("b"));
    assert_ne!(forked.scope, parent);
    assert_eq!(clones.bodies("b"), [TWO, ONE]);
    // Before its first own change, too, it is verified, and its file is what is recorded.
    assert!(clones.verify().ok && clones.doctor("b").is_empty(), "{:?}", clones.doctor("b"));

    clones.write("b", THREE).unwrap();
    clones.write("a", "Body of a.\n").unwrap();
    assert_eq!(clones.bodies("a"), ["Body of a.\n", TWO, ONE]);
    assert_eq!(clones.bodies("b"), [THREE, TWO, ONE]);
    let entries = revisions(&clones.keeper("b"), 9);
    let told: Vec<_> = entries.iter().map(|entry| &entry.revision.sealed).collect();
    assert_eq!(told.iter().map(|sealed| sealed.seq).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!((told[0].scope.as_str(), told[1].scope.as_str()), (forked.scope.as_str(), parent.as_str()));
    assert_eq!(entries[0].revision.chain, told[0].chain(Some(entries[1].revision.chain)));

    // A head that was kept is in both; each revision is counted once.
    let audit = run(&clones.keeper("b"), audit::verify::Request { expect_heads: vec![head.parse().unwrap()] }).unwrap();
    assert!(audit.ok && audit.missing_heads.is_empty(), "{audit:?}");
    assert_eq!((audit.revisions, audit.heads.len()), (4, 2));

    // What was inherited comes back like anything else; what the original did later is not there.
    let keeper = clones.keeper("b");
    back(&keeper, first.as_str(), digest(&keeper).as_deref()).unwrap();
    assert_eq!(clones.text("b"), TWO);
    let later = last(&clones.keeper("a")).sealed.id;
    let missing = back(&keeper, later.as_str(), digest(&keeper).as_deref());
    assert_eq!(code(missing), "revision_not_found");
    assert!(events(&keeper).iter().any(|event| event.event.kind.as_str() == "workspace.fork"));
}

#[test]
fn a_fork_of_a_fork_reads_through_and_pages_join() {
    let clones = Clones::new();
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "d")] {
        clones.write(from, &format!("Body of {from}.\n")).unwrap();
        clones.copy(from, to);
        fork(&clones.keeper(to));
    }
    // Those that it continues go on, and go away.
    clones.write("b", "More of b.\n").unwrap();
    fs::remove_dir_all(clones.root("b")).unwrap();
    clones.write("d", "Body of d.\n").unwrap();
    let expected = ["Body of d.\n", "Body of c.\n", "Body of b.\n", "Body of a.\n", ONE];
    assert_eq!(clones.bodies("d"), expected);
    let (keeper, mut cursor, mut seen) = (clones.keeper("d"), None, Vec::new());
    loop {
        let request = history::Request { agent: coder(), limit: Limit::new(2), cursor, bodies: true, diffs: false };
        let page = run(&keeper, request).unwrap();
        seen.extend(page.revisions.into_iter().filter_map(|entry| entry.body));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, expected);
    let audit = clones.verify();
    assert!(audit.ok && audit.revisions == 6, "{audit:?}");
}

/// A page is bounded in bytes, and one that ends before the fork does not go on behind it.
#[test]
fn a_page_that_is_full_of_bytes_does_not_skip_over_the_fork() {
    let clones = Clones::new();
    fs::write(clones.root("home/config.toml"), "[agents.soul]\nmax_body_bytes = 1000000\n").unwrap();
    let text = |name: &str, n: usize| format!("# {name} {n}\n{}", "word word\n".repeat(90_000));
    let first = (0..10).map(|n| text("a", n)).inspect(|text| drop(clones.write("a", text).unwrap()));
    let mut expected: Vec<String> = std::iter::once(ONE.to_owned()).chain(first).collect();
    clones.copy("a", "b");
    fork(&clones.keeper("b"));
    expected.extend((0..10).map(|n| text("b", n)).inspect(|text| drop(clones.write("b", text).unwrap())));
    let (keeper, mut cursor, mut seen, mut pages) = (clones.keeper("b"), None, Vec::new(), 0);
    loop {
        let limit = Limit::new(Limit::MAX);
        let request = history::Request { agent: coder(), limit, cursor, bodies: true, diffs: false };
        let page = run(&keeper, request).unwrap();
        seen.extend(page.revisions.into_iter().filter_map(|entry| entry.body));
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    seen.reverse();
    assert!(seen == expected && pages > 2, "{} of {} in {pages} pages", seen.len(), expected.len());
    let audit = clones.verify();
    assert!(audit.ok && audit.revisions == 21, "{audit:?}");
    assert!(run(&keeper, audit::repair::Request { dry_run: true }).unwrap().repaired.is_empty());
}

#[test]
fn a_fork_keeps_traits_keys_and_the_dialect_and_does_not_share_them() {
    let clones = Clones::new();
    let persona = "---\nname: Coder\nhexaco:\n  openness: 0.5\n---\nYou code.\n";
    let request = writing(persona, digest(&clones.keeper("a")).as_deref());
    let request = write::Request { dialect: Some(soul_core::model::Dialect::Agentos), ..request };
    run(&clones.keeper("a"), request).unwrap();
    let key = NonBlank::try_from("once".to_owned()).unwrap();
    let repeated = |name: &str| {
        let keeper = clones.keeper(name);
        let request = writing("You code.\n", digest(&keeper).as_deref());
        run(&keeper, write::Request { idempotency_key: Some(key.clone()), ..request })
    };
    let made = repeated("a").unwrap().revision.sealed;
    clones.write("a", persona).unwrap();
    let adapt = |name: &str, delta: f64| {
        let request = serde_json::json!({ "agent": "coder", "trait": "openness", "delta": delta, "reason": "because" });
        send(&clones.keeper(name), &tester(), "persona.adapt", &request).unwrap();
    };
    let history = |name: &str| {
        let request = serde_json::json!({ "agent": "coder" });
        let steps = send(&clones.keeper(name), &tester(), "persona.history", &request).unwrap();
        let steps = steps["mutations"].as_array().unwrap().clone();
        steps.iter().map(|step| step["delta"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    adapt("a", 0.1);
    clones.copy("a", "b");
    fork(&clones.keeper("b"));
    assert_eq!(history("b"), history("a"));
    assert_eq!(repeated("b").unwrap().revision.sealed.id, made.id);
    adapt("b", -0.05);
    assert_eq!((history("a").len(), history("b").len()), (1, 2));
    let reason = |name: &str| look(&clones.keeper(name)).dialect_reason;
    assert_eq!(reason("b"), reason("a"));
}

#[test]
fn a_fork_whose_beginning_was_changed_is_reported() {
    for sql in [
        "UPDATE soul_forks SET seq = seq - 1",
        "UPDATE soul_forks SET chain = 'sha256:0000000000000000000000000000000000000000000000000000000000000000'",
        "UPDATE soul_forks SET chain = 'x'",
        "DELETE FROM soul_forks",
        "UPDATE soul_forks SET parent_scope = scope",
    ] {
        let clones = Clones::new();
        clones.write("a", TWO).unwrap();
        clones.copy("a", "b");
        fork(&clones.keeper("b"));
        clones.write("b", THREE).unwrap();
        let database = rusqlite::Connection::open(clones.root("home/keeper.db")).unwrap();
        assert_eq!(database.execute(sql, []).unwrap(), 1, "{sql}");
        drop(database);
        let audit = run(&clones.keeper("a"), audit::verify::Request::default()).unwrap();
        assert!(!audit.ok && audit.problem.is_some(), "{sql}");
    }
}

#[test]
fn only_what_is_recorded_can_be_forked_or_shared() {
    let clones = Clones::new();
    fs::create_dir_all(clones.agent("new")).unwrap();
    assert_eq!(code(run(&clones.keeper("new"), workspace::fork::Request {})), "no_record");
    assert_eq!(code(run(&clones.keeper("new"), workspace::share::Request {})), "no_record");
    let home = Keeper::open(Roots { workspace: None, home: Some(clones.root("home")), user: None }).unwrap();
    assert_eq!(code(run(&home, workspace::fork::Request {})), "no_workspace");
}
