//! Versions of a package in the history of a registry, and what a search says about registries that are broken.

use std::fs;
use std::path::Path;

use soul_engine::ops::registry::{bundle, search, submit};
use soul_engine::ops::{Error, install, outdated, update};

use super::registries::git;
use super::{pilot, write_package};
use crate::{Home, run};

/// A registry in git with three versions of a package, of which the second came by a merge; its bare remote is what the
/// home is configured with.
fn registry(home: &Home) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let work = root.path().join("work");
    fs::create_dir_all(&work).unwrap();
    git(&work, &["init", "--quiet", "--initial-branch=main"]);
    let place = work.join("souls/lighthouse/pilot");
    let publish = |version: &str, message: &str| {
        write_package(&place, version, &[]);
        git(&work, &["add", "."]);
        git(&work, &["commit", "--quiet", "-m", message]);
    };
    publish("1.0.0", "one");
    git(&work, &["checkout", "--quiet", "-b", "draft"]);
    publish("1.1.0", "a draft that was never on main");
    fs::write(place.join("STYLE.md"), "# Style\n\n- Be brief, and kind.\n").unwrap();
    git(&work, &["commit", "--quiet", "-am", "two"]);
    git(&work, &["checkout", "--quiet", "main"]);
    git(&work, &["merge", "--quiet", "--no-ff", "--no-edit", "draft"]);
    publish("2.0.0", "three");
    git(root.path(), &["clone", "--quiet", "--bare", "work", "remote.git"]);
    home.config(&format!("[registry]\nsources = [\"file://{}/remote.git\"]\n", root.path().display()));
    root
}

fn planned(home: &Home, wanted: &str) -> Result<install::Response, Error> {
    run(&home.keeper(), install::Request { package: Some(wanted.parse().unwrap()), ..install::Request::default() })
}

fn installed(home: &Home, wanted: &str) {
    let plan = planned(home, wanted).unwrap().plan;
    let package = Some(wanted.parse().unwrap());
    let request = install::Request { package, plan_digest: Some(plan.digest), ..install::Request::default() };
    run(&home.keeper(), request).unwrap();
}

#[test]
fn a_range_reaches_into_the_history() {
    let home = Home::new();
    let _root = registry(&home);
    for (wanted, version, latest) in [
        ("lighthouse/pilot", "2.0.0", None),
        ("lighthouse/pilot@*", "2.0.0", None),
        ("lighthouse/pilot@^1", "1.1.0", Some("2.0.0")),
        ("lighthouse/pilot@~1.0", "1.0.0", Some("2.0.0")),
        ("lighthouse/pilot@<2", "1.1.0", Some("2.0.0")),
    ] {
        let plan = planned(&home, wanted).unwrap().plan;
        let found = (plan.version.to_string(), plan.latest.map(|latest| latest.to_string()));
        assert_eq!(found, (version.to_owned(), latest.map(str::to_owned)), "{wanted}");
    }
    let missing = planned(&home, "lighthouse/pilot@^3").unwrap_err();
    assert_eq!(missing.fault().code, "version_not_found");
    assert!(missing.to_string().ends_with("the registry has 2.0.0, 1.1.0, 1.0.0"), "{missing}");

    installed(&home, "lighthouse/pilot@1.1.0");
    let style = fs::read_to_string(home.0.path().join("packages/lighthouse/pilot/1.1.0/STYLE.md")).unwrap();
    assert!(style.contains("and kind"), "the draft was installed, and not what was on main: {style}");
    let found = run(&home.keeper(), outdated::Request {}).unwrap();
    assert_eq!(found.packages[0].available.to_string(), "2.0.0");
    let wanted = |version: Option<&str>| bundle::Request {
        owner: "lighthouse".to_owned(),
        name: "pilot".to_owned(),
        version: version.map(str::to_owned),
    };
    assert_eq!(run(&home.keeper(), wanted(Some("1.0.0"))).unwrap().version, "1.0.0");
    assert_eq!(run(&home.keeper(), wanted(None)).unwrap().version, "2.0.0");
}

#[test]
fn a_folder_has_only_the_present_version() {
    let (home, root) = (Home::new(), tempfile::tempdir().unwrap());
    write_package(&root.path().join("souls/lighthouse/pilot"), "2.0.0", &[]);
    home.config(&format!("[registry]\nsources = [\"{}\"]\n", root.path().display()));
    let missing = planned(&home, "lighthouse/pilot@^1").unwrap_err();
    assert!(missing.to_string().ends_with("the registry has 2.0.0"), "{missing}");
}

#[test]
fn what_is_deprecated_today_is_so_in_every_version() {
    let home = Home::new();
    let root = registry(&home);
    let work = root.path().join("work");
    let manifest = work.join("souls/lighthouse/pilot/soul.json");
    let text = fs::read_to_string(&manifest).unwrap().replace("2.0.0", "2.0.1");
    let text = text.replace("\"tags\"", "\"deprecated\": true, \"supersededBy\": \"lighthouse/captain\", \"tags\"");
    fs::write(&manifest, text).unwrap();
    git(&work, &["commit", "--quiet", "-am", "deprecate"]);
    git(&work, &["push", "--quiet", "../remote.git", "main"]);
    let plan = planned(&home, "lighthouse/pilot@^1").unwrap().plan;
    assert!(plan.deprecated);
    assert_eq!(plan.superseded_by.as_deref(), Some("lighthouse/captain"));
}

#[test]
fn an_update_never_goes_back() {
    let home = Home::new();
    let root = registry(&home);
    installed(&home, "lighthouse/pilot");
    git(&root.path().join("work"), &["push", "--quiet", "--force", "../remote.git", "HEAD^:main"]);
    let refused = run(&home.keeper(), update::Request { package: pilot(), plan_digest: None }).unwrap_err();
    assert_eq!(refused.fault().code, "version_older");
    // Who names the version wants it.
    installed(&home, "lighthouse/pilot@1.1.0");
}

#[test]
fn many_may_fetch_one_registry_at_once() {
    let home = Home::new();
    let _root = registry(&home);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| installed(&home, "lighthouse/pilot"))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert!(home.0.path().join("packages/lighthouse/pilot/2.0.0/SOUL.md").exists());
}

#[test]
fn locks_of_a_git_that_was_killed_stop_nobody() {
    let home = Home::new();
    let root = registry(&home);
    planned(&home, "lighthouse/pilot").unwrap();
    let cache = fs::read_dir(home.0.path().join("cache/registries")).unwrap().next().unwrap().unwrap().path();
    for lock in ["refs/fetched/head.lock", "packed-refs.lock", "config.lock", "shallow.lock"] {
        fs::write(cache.join(lock), "").unwrap();
    }
    let work = root.path().join("work");
    write_package(&work.join("souls/lighthouse/pilot"), "2.1.0", &[]);
    git(&work, &["commit", "--quiet", "-am", "four"]);
    git(&work, &["push", "--quiet", "../remote.git", "main"]);
    assert_eq!(planned(&home, "lighthouse/pilot").unwrap().plan.version.to_string(), "2.1.0");
    // And a clone that was cut off is made again.
    fs::remove_dir_all(cache.join("objects")).unwrap();
    assert_eq!(planned(&home, "lighthouse/pilot").unwrap().plan.version.to_string(), "2.1.0");
}

fn search(keeper: &soul_engine::Keeper) -> (Vec<String>, Vec<(Option<String>, String)>) {
    let found = run(keeper, search::Request::default()).unwrap();
    let missing = found.missing.into_iter().map(|missing| (missing.path, missing.reason));
    (found.results.into_iter().map(|soul| soul.full_name).collect(), missing.collect())
}

#[test]
fn a_search_names_what_it_could_not_look_at() {
    let (home, root) = (Home::new(), tempfile::tempdir().unwrap());
    let souls = |name: &str| root.path().join("registry/souls/lighthouse").join(name);
    write_package(&souls("pilot"), "1.0.0", &[]);
    fs::create_dir_all(souls("broken")).unwrap();
    fs::write(souls("broken").join("soul.json"), "{").unwrap();
    let config = |more: &str| {
        home.config(&format!("[registry]\nsources = [\"{}/registry\"{more}]\n", root.path().display()));
    };
    config("");
    let keeper = home.keeper();
    let (found, missing) = search(&keeper);
    assert_eq!(found, ["lighthouse/pilot"]);
    assert_eq!(missing[0].0.as_deref(), Some("souls/lighthouse/broken"));

    // The same keeper sees what has changed.
    fs::write(souls("broken").join("soul.json"), r#"{"name": "broken"}"#).unwrap();
    assert_eq!(search(&keeper).0.len(), 2);
    fs::remove_dir_all(souls("broken")).unwrap();
    assert_eq!(search(&keeper), (vec!["lighthouse/pilot".to_owned()], Vec::new()));
    fs::write(root.path().join("registry/index.json"), r#"{"souls": [{"owner": 1, "path": "souls/x/y"}]}"#).unwrap();
    let (found, missing) = search(&keeper);
    assert!(found.is_empty());
    assert_eq!(missing[0].0.as_deref(), Some("souls/x/y"));

    // A registry that is gone does not hide the others; alone it is an error.
    config(", \"/nowhere/at/all\"");
    let (_, missing) = search(&home.keeper());
    assert_eq!(missing[1].0, None);
    home.config("[registry]\nsources = [\"/nowhere/at/all\"]\n");
    let error = run(&home.keeper(), search::Request::default()).unwrap_err();
    assert_eq!(error.fault().code, "not_a_registry");
}

#[test]
fn an_index_is_of_a_folder_and_not_of_a_bare_repository() {
    let home = Home::new();
    let root = registry(&home);
    let request =
        |path: &Path| soul_engine::ops::registry::index::Request { dir: path.to_path_buf(), generated_at: None };
    let refused = run(&home.keeper(), request(&root.path().join("remote.git"))).unwrap_err();
    assert_eq!(refused.fault().code, "not_a_registry");
    assert!(!root.path().join("remote.git/index.json").exists());
    // As a source it is one.
    home.config(&format!("[registry]\nsources = [\"{}/remote.git\"]\n", root.path().display()));
    assert_eq!(search(&home.keeper()).0, ["lighthouse/pilot"]);
    assert_eq!(planned(&home, "lighthouse/pilot@^1").unwrap().plan.version.to_string(), "1.1.0");
}

#[cfg(unix)]
#[test]
fn a_hook_of_a_registry_does_not_run_as_its_submitter() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let root = registry(&home);
    let (hook, marker) = (root.path().join("remote.git/hooks/pre-receive"), root.path().join("ran"));
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", marker.display())).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let source = tempfile::tempdir().unwrap();
    write_package(source.path(), "3.0.0", &[]);
    let to = format!("file://{}/remote.git", root.path().display());
    let request = submit::Request { path: source.path().to_path_buf(), to, key: None };
    assert_eq!(run(&home.keeper(), request).unwrap().branch, "submit/lighthouse-pilot-3.0.0");
    assert!(!marker.exists());
}
