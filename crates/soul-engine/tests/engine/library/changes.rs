//! Changes of the library that are refused, cut off, or made by many at once.

use super::*;

#[test]
fn poison_is_not_written_into_the_library() {
    let home = begun();
    let keeper = home.keeper();
    let refused = add(&keeper, "Ops", POISON);
    assert!(matches!(refused, Err(Error::Authoring(authoring::Error::Poisoned(path, _))) if path == "souls/ops.md"));
    assert_eq!(find(&keeper, ""), [""; 0]);
    home.config("[scan]\non_write = \"warn\"\n");
    let keeper = home.keeper();
    add(&keeper, "Ops", POISON).unwrap();
    let events = events(&keeper);
    let reported = events.iter().find(|event| event.event.kind == EventKind::Poison).unwrap();
    assert_eq!((reported.event.agent.as_deref(), reported.event.soul.as_deref()), (None, Some("ops")));
}

#[test]
fn every_step_of_a_change_can_fail() {
    for step in Step::ALL {
        let home = begun();
        add(&home.keeper(), "Ops", "one").unwrap();
        drop_in(&home, "ops.md", "---\nname: Ops\nmine: 1\n---\none\n");
        let failpoint = move |at: Step| if at == step { Err(std::io::Error::other("failpoint")) } else { Ok(()) };
        let keeper = home.keeper().with_failpoint(Arc::new(failpoint));
        let failed = change(&keeper, "ops", |request| request.content = Some("two".into()));
        let is_made = matches!(failed, Err(Error::Authoring(authoring::Error::Unconfirmed(..))));
        assert_eq!(is_made, matches!(step, Step::Replaced | Step::Synced | Step::Settled), "{step:?}");
        assert!(is_made || matches!(failed, Err(Error::Authoring(authoring::Error::Unwritable(..)))), "{step:?}");
        let keeper = home.keeper();
        let text = get(&keeper, "ops").unwrap().content;
        let last = if text == "two" { "put" } else { "adopt" };
        change(&keeper, "ops", |request| request.content = Some("three".into())).unwrap();
        let actions = actions(&keeper, "ops");
        assert!(actions[1..].contains(&last) && actions[0] == "put", "{step:?} {actions:?}");
        assert_eq!(fs::read_to_string(file(&home, "ops.md")).unwrap(), "---\nname: Ops\nmine: 1\n---\nthree\n");
        let left = |folder: PathBuf| {
            fs::read_dir(folder)
                .unwrap()
                .any(|entry| entry.unwrap().file_name().to_string_lossy().ends_with(".soul-staging"))
        };
        assert!(!left(home.0.path().join("souls")) && !left(home.0.path().to_path_buf()), "{step:?}");
        assert_chain(&keeper);
    }
}

#[test]
fn of_many_callers_who_want_a_name_one_gets_it() {
    let home = begun();
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| add(&home.keeper(), "Ops", "x"))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(find(&home.keeper(), ""), ["ops"]);
    assert_chain(&home.keeper());
}

#[test]
fn the_folder_can_be_elsewhere_and_unwritable() {
    let home = Home::new();
    let elsewhere = tempfile::tempdir().unwrap();
    home.config(&format!("[library]\ndir = {:?}\n", elsewhere.path().join("ours")));
    add(&home.keeper(), "Ops", "x").unwrap();
    assert!(elsewhere.path().join("ours/ops.md").exists());
    fs::remove_dir_all(elsewhere.path().join("ours")).unwrap();
    fs::write(elsewhere.path().join("ours"), "a file").unwrap();
    assert!(add(&home.keeper(), "New", "x").is_err());
    assert!(run(&home.keeper(), list::Request::default()).is_err());
}
