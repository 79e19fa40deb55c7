//! The souls of the library: created, listed, changed and deleted.

use soul_engine::outside::Outside;

use super::*;

#[test]
fn the_life_of_a_library_soul() {
    let home = Home::new();
    let keeper = home.keeper();
    let first = add(&keeper, "  Concise Ops ", "\n Be brief. \n").unwrap();
    assert_eq!((first.id.as_str(), &*first.name, &*first.content), ("concise-ops", "Concise Ops", "Be brief."));
    assert_eq!(fs::read_to_string(file(&home, "concise-ops.md")).unwrap(), "---\nname: Concise Ops\n---\nBe brief.\n");
    assert_eq!(add(&keeper, "Concise  Ops", "x").unwrap().id.as_str(), "concise-ops-2");
    assert!(matches!(library_error(add(&keeper, "Concise Ops", "x")), LibraryError::NameTaken { .. }));
    assert!(matches!(library_error(add(&keeper, " ", "x")), LibraryError::Required(what) if what == "name"));
    assert!(matches!(library_error(add(&keeper, "x", " \n")), LibraryError::Required(what) if what == "content"));

    let seen = get(&keeper, "concise-ops").unwrap();
    assert_eq!(seen.digest, first.digest);
    let renamed = change(&keeper, "concise-ops", |request| request.name = Some("Terse".into())).unwrap();
    assert_eq!((&*renamed.name, &*renamed.content), ("Terse", "Be brief."));
    let stale = seen.digest.map(|digest| digest.to_string());
    let is_stale =
        |error: Error| matches!(error, Error::Authoring(authoring::Error::Conflict { conflict: Conflict::Stale, .. }));
    let late = change(&keeper, "concise-ops", |request| {
        request.content = Some("More.".into());
        request.expected_digest = stale.as_deref().map(ExpectedDigest::new);
    });
    assert!(is_stale(late.unwrap_err()));
    assert!(is_stale(remove(&keeper, "concise-ops", None, stale.as_deref()).unwrap_err()));
    // What says nothing new is not recorded.
    change(&keeper, "concise-ops", |request| (request.name, request.content) = (Some(" ".into()), Some("\n".into())))
        .unwrap();
    assert_eq!(actions(&keeper, "concise-ops"), ["put", "put"]);
    let taken = change(&keeper, "concise-ops", |request| request.name = Some("Concise  Ops".into()));
    assert!(matches!(library_error(taken), LibraryError::NameTaken { .. }));

    remove(&keeper, "concise-ops", None, renamed.digest.map(|digest| digest.to_string()).as_deref()).unwrap();
    assert!(is_not_found(get(&keeper, "concise-ops")));
    assert!(is_not_found(remove(&keeper, "concise-ops", None, None)));
    let back = |revision: &Soul| {
        let (id, revision_id) = (revision.id.clone(), revision.revision_id.clone().unwrap());
        run(&keeper, rollback::Request { id, revision_id, expected_digest: None, force: None })
    };
    assert_eq!(back(&first).unwrap().name, "Concise Ops");
    assert_eq!(actions(&keeper, "concise-ops"), ["rollback", "delete", "put", "put"]);
    // A name that someone else has by now does not come back.
    add(&keeper, "Terse", "x").unwrap();
    assert!(matches!(library_error(back(&renamed)), LibraryError::NameTaken { .. }));
    assert_chain(&keeper);
}

#[test]
fn a_file_from_outside_is_listed_and_never_overwritten() {
    let home = begun();
    let keeper = home.keeper();
    assert_eq!(find(&keeper, ""), [""; 0]);
    drop_in(&home, "ops.md", "---\nname: Ops\nmood: [calm] # mine\n---\nBody.\n");
    assert_eq!(find(&keeper, ""), ["ops"]);
    assert!(matches!(add(&keeper, "Ops", "x").err(), Some(Error::Library(LibraryError::NameTaken { .. }))));
    assert_eq!(add(&keeper, "ops!", "x").unwrap().id.as_str(), "ops-2");
    // An edit in place, within the tick of a clock.
    drop_in(&home, "ops.md", "---\nname: Oqs\nmood: [calm] # mine\n---\nBody.\n");
    assert_eq!(find(&keeper, "oqs"), ["ops"]);
    // What is unknown is kept, and what someone else did is on record.
    change(&keeper, "ops", |request| request.description = Some("New".into())).unwrap();
    let text = fs::read_to_string(file(&home, "ops.md")).unwrap();
    assert_eq!(text, "---\nname: Oqs\ndescription: New\nmood: [calm] # mine\n---\nBody.\n");
    assert_eq!(actions(&keeper, "ops"), ["put", "adopt"]);
    fs::remove_file(file(&home, "ops.md")).unwrap();
    assert_eq!(find(&keeper, ""), ["ops-2"]);
    assert_chain(&keeper);
}

#[test]
fn a_file_that_is_not_a_soul_is_skipped_and_keeps_its_id() {
    let home = Home::new();
    let keeper = home.keeper();
    drop_in(&home, "good.md", "---\nname: Good\n---\nBody.\n");
    drop_in(&home, "broken.md", "no frontmatter");
    drop_in(&home, "Bad Name.md", "---\nname: X\n---\n");
    drop_in(&home, "\u{202e}evil\n.md", "---\nname: X\n---\n");
    drop_in(&home, "notes.txt", "x");
    fs::create_dir(file(&home, "folder.md")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", file(&home, "link.md")).unwrap();
    fs::hard_link(file(&home, "notes.txt"), file(&home, "hard.md")).unwrap();
    let page = run(&keeper, list::Request::default()).unwrap();
    assert_eq!(page.souls.len(), 1);
    let skipped: Vec<_> = page.skipped.iter().map(|skipped| skipped.file.as_str()).collect();
    assert_eq!(skipped, ["Bad Name.md", "\\u{202e}evil\\n.md", "broken.md", "hard.md", "link.md"]);
    assert_eq!(add(&keeper, "Folder", "x").unwrap().id.as_str(), "folder-2");
    for id in ["broken", "link", "hard", "folder"] {
        let request = create::Request { id: Some(id.parse().unwrap()), ..creating("N", "c") };
        assert!(matches!(library_error(run(&keeper, request)), LibraryError::IdTaken(_)));
    }
    assert!(is_invalid(get(&keeper, "broken")));
    assert!(is_invalid(get(&keeper, "link")));
    assert!(is_invalid(change(&keeper, "broken", |request| request.name = Some("N".into()))));
    assert!(is_invalid(remove(&keeper, "link", Some("tidying up"), None)));
    remove(&keeper, "broken", None, None).unwrap();
}

#[test]
fn pages_are_stable_and_ordered_by_name() {
    let home = Home::new();
    let keeper = home.keeper();
    for (id, name) in [("d", "Same"), ("b", "Same"), ("c", "alpha"), ("a", "Zeta"), ("e", "Same")] {
        drop_in(
            &home,
            &format!("{id}.md"),
            &format!("---\nname: {name}\ndescription: About {id}\n---\nThe BODY of {id}.\n"),
        );
    }
    assert_eq!(find(&keeper, ""), ["b", "d", "e", "a", "c"]);
    let page = |page: i64, per_page: i64| {
        run(&keeper, list::Request { page, per_page, ..list::Request::default() }).map(|found| {
            let pages = found.pagination;
            let numbers = [pages.current_page, pages.prev_page, pages.next_page, pages.total_pages];
            (numbers, found.souls.iter().map(|soul| soul.id.to_string()).collect::<Vec<_>>().concat())
        })
    };
    assert_eq!(page(2, 2).unwrap(), ([2, 1, 3, 3], "ea".to_owned()));
    assert_eq!(page(99, 2).unwrap(), ([99, 98, 3, 3], String::new()));
    assert_eq!(page(0, 0).unwrap(), ([1, 1, 1, 1], "bdeac".to_owned()));
    assert_eq!(page(-5, 100_000).unwrap().1, "bdeac");
    assert!(matches!(page(1, -1), Err(Error::Library(LibraryError::BadPage { .. }))));
    assert!(matches!(page(i64::MAX, 200), Err(Error::Library(LibraryError::BadPage { .. }))));
    assert_eq!(find(&keeper, "ABOUT D"), ["d"]);
    assert_eq!(find(&keeper, "body of e"), ["e"]);
    assert_eq!(find(&keeper, "ALPHA"), ["c"]);
    assert_eq!(find(&keeper, "Y"), ["b", "d", "e", "a", "c"]);
    assert_eq!(find(&keeper, "nowhere at all"), [""; 0]);
}

#[test]
fn an_empty_library_is_seeded_once_by_whichever_operation_comes_first() {
    let home = Home::new();
    let keeper = home.keeper();
    assert_eq!((find(&keeper, ""), find(&keeper, "")), (vec!["default".to_owned()], vec!["default".to_owned()]));
    assert_eq!(actions(&keeper, "default"), ["put"]);
    let seeded = &revisions(&keeper, "default")[0].sealed;
    assert_eq!((&seeded.actor, &seeded.origin), (&Party::new("system", "soul"), &Party::new("seed", "seed")));
    let content = get(&keeper, "default").unwrap().content;
    for heading in ["# Identity", "# Priorities", "# Communication Style"] {
        assert!(content.contains(heading));
    }
    // What was deleted does not come back by itself.
    remove(&keeper, "default", Some("not wanted"), None).unwrap();
    assert_eq!(find(&keeper, ""), [""; 0]);
    fs::remove_file(file(&home, ".examples-created")).unwrap();
    drop_in(&home, "broken.md", "x");
    assert_eq!(find(&keeper, ""), [""; 0]);
    fs::remove_file(file(&home, "broken.md")).unwrap();
    assert_eq!(find(&keeper, ""), ["default"]);
    // Each operation on the library seeds it, whether it reads or writes.
    for (operation, request) in [
        ("library.create", json!({ "name": "Ops", "content": "x" })),
        ("library.current", json!({})),
        ("library.history", json!({ "id": "default" })),
        ("library.list", json!({})),
        ("library.select", json!({ "id": "default" })),
        ("library.show", json!({ "id": "default" })),
        ("library.update", json!({ "id": "default", "name": "N" })),
    ] {
        let home = Home::new();
        send(&home.keeper(), &tester(), operation, &request).unwrap();
        assert!(file(&home, "default.md").exists(), "{operation}");
    }
}

#[test]
fn a_soul_in_use_is_deleted_only_with_a_reason() {
    let home = Home::new();
    let keeper = home.keeper();
    add(&keeper, "Ops", "x").unwrap();
    assert!(matches!(library_error(choose(&keeper, Some("nope"))), LibraryError::SelectedNotFound(_)));
    let selected = choose(&keeper, Some("ops")).unwrap();
    assert_eq!(selected.selected_soul_id.unwrap().as_str(), "ops");
    assert!(matches!(library_error(remove(&keeper, "ops", None, None)), LibraryError::Selected(_)));
    assert!(matches!(library_error(remove(&keeper, "default", None, None)), LibraryError::Default(_)));
    let forced = remove(&keeper, "ops", Some("it is broken"), None).unwrap();
    let deleted = &revisions(&keeper, "ops")[0].sealed;
    assert_eq!((&deleted.id, deleted.reason.as_deref()), (&forced.revision_id, Some("it is broken")));
    let now = run(&keeper, current::Request {}).unwrap();
    let chosen = now.soul.unwrap();
    assert_eq!((chosen.id.as_str(), chosen.reason), ("default", Reason::Default));
    assert_eq!(chosen.passed_over[0].id, "ops");
    assert_eq!(choose(&keeper, None).unwrap().selected_soul_id, None);
}

#[test]
fn a_file_that_is_edited_outside_is_reported_once() {
    let home = Home::new();
    let keeper = home.keeper();
    add(&keeper, "Ops", "Be brief.").unwrap();
    drop_in(&home, "never-recorded.md", "---\nname: Other\n---\nBody.\n");
    let edited = || -> Vec<_> {
        let events = events(&keeper).into_iter().map(|event| event.event);
        events
            .filter(|event| event.kind == EventKind::Edited)
            .map(|event| (event.soul, event.digest.is_some()))
            .collect()
    };
    let settle = || std::thread::sleep(std::time::Duration::from_millis(120));
    let mut outside = Outside::default();
    settle();
    outside.look(&keeper);
    outside.look(&keeper);
    assert_eq!(edited(), [], "what we wrote ourselves, and what nobody recorded, is not news");
    fs::write(file(&home, "ops.md"), "---\nname: Ops\n---\nBe loud.\n").unwrap();
    settle();
    for _ in 0..3 {
        outside.look(&keeper);
    }
    assert_eq!(edited(), [(Some("ops".to_owned()), true)]);
    // Another keeper, which has not seen the files before, does not report it again.
    Outside::default().look(&keeper);
    drop_in(&home, "late.md", "---\nname: Late\n---\nBody.\n");
    fs::remove_file(file(&home, "ops.md")).unwrap();
    settle();
    for _ in 0..3 {
        outside.look(&keeper);
    }
    let expected =
        [("ops", true), ("ops", false), ("late", true)].map(|(id, is_there)| (Some(id.to_owned()), is_there));
    assert_eq!(edited(), expected);
}
