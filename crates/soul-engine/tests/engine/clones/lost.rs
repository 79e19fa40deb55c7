//! Records whose workspace has lost its id, or is gone.

use super::*;

fn adopt(keeper: &Keeper, scope: Option<&str>) -> Result<workspace::adopt::Response, Error> {
    run(keeper, workspace::adopt::Request { scope: scope.map(non_blank) })
}

fn listed(clones: &Clones, name: &str) -> Vec<workspace::list::Entry> {
    run(&clones.keeper(name), workspace::list::Request {}).unwrap().workspaces
}

#[test]
fn a_workspace_that_lost_its_id_finds_its_record_again() {
    let clones = Clones::new();
    let scope = clones.scope("a");
    fs::remove_file(clones.id("a")).unwrap();
    assert_eq!(clones.bodies("a"), Vec::<String>::new());
    assert!(clones.doctor("a").iter().any(|check| check.contains("`.soul/id` is missing") && check.contains(&scope)));
    // The next change reconnects it.
    assert!(clones.write("a", TWO).unwrap().reconnected);
    assert_eq!((clones.scope("a"), clones.bodies("a")), (scope.clone(), vec![TWO.to_owned(), ONE.to_owned()]));
    assert!(events(&clones.keeper("a")).iter().any(|event| event.event.kind.as_str() == "workspace.adopt"));
    assert!(clones.doctor("a").is_empty());
    assert!(!clones.write("a", THREE).unwrap().reconnected);
    // So does a session, which would begin another record.
    fs::remove_file(clones.id("a")).unwrap();
    send(&clones.keeper("a"), &tester(), "session.start", &serde_json::json!({ "agent": "coder" })).unwrap();
    assert_eq!(clones.scope("a"), scope);
    // And those who ask for it.
    fs::remove_file(clones.id("a")).unwrap();
    assert_eq!(adopt(&clones.keeper("a"), None).unwrap().scope, scope);
    assert_eq!(clones.scope("a"), scope);
}

#[test]
fn another_project_at_the_same_path_does_not_get_the_record() {
    let clones = Clones::new();
    let scope = clones.scope("a");
    fs::remove_dir_all(clones.root("a")).unwrap();
    fs::create_dir_all(clones.root("a").join(".soul/agents/other")).unwrap();
    let request = write::Request::new("other".parse().unwrap(), ONE.into());
    run(&clones.keeper("a"), request).unwrap();
    assert_ne!(clones.scope("a"), scope);
    let lost: Vec<_> = listed(&clones, "a").into_iter().filter(|entry| entry.places.is_empty()).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!((&lost[0].scope, &lost[0].agents, lost[0].revisions), (&scope, &vec!["coder".to_owned()], 1));
    // It was last used here, and is no longer this workspace's.
    assert_eq!(lost[0].last_place.as_deref(), Some("."));
    fs::rename(clones.root("a"), clones.root("b")).unwrap();
    let doctor = clones.doctor("b");
    assert!(
        doctor.iter().any(|check| check.starts_with("records: no workspace uses 1 record") && check.contains(&scope))
    );
}

#[test]
fn a_workspace_elsewhere_adopts_the_record_that_fits() {
    let clones = Clones::new();
    let scope = clones.scope("a");
    // A clone of a repository that ignores `.soul/id`.
    clones.copy("a", "b");
    fs::remove_file(clones.id("b")).unwrap();
    assert_eq!(code(adopt(&clones.keeper("b"), Some(&scope))), "scope_in_use");
    assert_eq!(code(adopt(&clones.keeper("b"), None)), "nothing_to_adopt");
    assert_eq!(code(adopt(&clones.keeper("b"), Some("ws_unknown"))), "scope_not_found");
    fs::remove_dir_all(clones.root("a")).unwrap();
    let adopted = adopt(&clones.keeper("b"), None).unwrap();
    assert_eq!((&adopted.scope, adopted.souls, adopted.revisions), (&scope, 1, 1));
    clones.write("b", TWO).unwrap();
    assert_eq!(clones.bodies("b"), [TWO, ONE]);
    let entry = listed(&clones, "b").remove(0);
    assert_eq!((entry.here, entry.places), (true, vec![".".to_owned()]));
}

#[test]
fn of_several_records_the_one_whose_text_is_there_fits() {
    let clones = Clones::new();
    fs::create_dir_all(clones.agent("b")).unwrap();
    clones.write("b", TWO).unwrap();
    let scopes = [clones.scope("a"), clones.scope("b")];
    for gone in ["a", "b"] {
        fs::remove_dir_all(clones.root(gone)).unwrap();
    }
    fs::create_dir_all(clones.agent("c")).unwrap();
    fs::write(clones.agent("c").join("SOUL.md"), THREE).unwrap();
    let ambiguous = adopt(&clones.keeper("c"), None).unwrap_err();
    assert_eq!(ambiguous.fault().code, "workspace_ambiguous");
    assert!(scopes.iter().all(|scope| ambiguous.to_string().contains(scope)));
    fs::write(clones.agent("c").join("SOUL.md"), TWO).unwrap();
    assert_eq!(adopt(&clones.keeper("c"), None).unwrap().scope, scopes[1]);
    // What it has now is not given up for another.
    assert_eq!(code(adopt(&clones.keeper("c"), Some(&scopes[0]))), "workspace_has_record");
}
