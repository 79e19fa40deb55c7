//! The index of a registry, against the public builder and against itself; checks that fail closed.

use std::fs;
use std::path::Path;

use serde_json::Value;
use soul_engine::clock::Time;
use soul_engine::ops::registry::{check, index, init, submit};
use soul_engine::ops::test;
use soul_engine::souls::Target;

use super::write_package;
use crate::{Home, run};

fn indexed(home: &Home, folder: &Path) -> index::Response {
    let request = index::Request { dir: folder.to_path_buf(), generated_at: Some(Time::of_seconds(1_793_491_200)) };
    run(&home.keeper(), request).unwrap()
}

/// Cases in which we decide otherwise, and why.
const OTHERWISE: [(&str, &str); 2] = [
    ("index/nonstring-displayName", "one bad entry is skipped and named, and does not stop the whole index"),
    ("index/no-souls-dir", "a folder without `souls` is not a registry, which is said instead of an empty index"),
];

#[test]
fn the_cases_of_the_public_builder() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/soulspec-validate-and-index.json");
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let (mut same, mut otherwise) = (0, 0);
    for case in cases.iter().filter(|case| case["op"] == "build-index") {
        if OTHERWISE.iter().any(|(id, _)| case["id"] == *id) {
            otherwise += 1;
            continue;
        }
        let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
        for (path, text) in case["files"].as_object().unwrap() {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.as_str().unwrap()).unwrap();
        }
        let made = serde_json::to_value(indexed(&home, folder.path()).index).unwrap();
        let expected = &case["expect"]["index_without_generatedAt"];
        for key in ["total", "categories", "contributors"] {
            assert_eq!(made[key], expected[key], "{} {key}", case["id"]);
        }
        let (ours, theirs) = (made["souls"].as_array().unwrap(), expected["souls"].as_array().unwrap());
        assert_eq!(ours.len(), theirs.len(), "{}", case["id"]);
        for (own, their) in ours.iter().zip(theirs) {
            for (key, value) in their.as_object().unwrap().iter().filter(|(key, _)| *key != "files") {
                assert_eq!(own[key], *value, "{} {key}", case["id"]);
            }
            for (file, there) in their["files"].as_object().unwrap() {
                assert_eq!(own["files"][file], *there, "{} {file}", case["id"]);
            }
        }
        same += 1;
    }
    println!("index: {same} of {} cases the same, {otherwise} otherwise for a listed reason", same + otherwise);
    assert_eq!((same, otherwise), (2, 2));
}

#[test]
fn names_are_in_the_order_of_the_public_builder() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/soulspec-validate-and-index.json");
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let case = cases.iter().find(|case| case["op"] == "index-sort").unwrap();
    let expected: Vec<&str> = case["expect"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
    for (number, name) in expected.iter().rev().enumerate() {
        let path = folder.path().join(format!("souls/a/p{number}"));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("soul.json"), serde_json::json!({ "displayName": name }).to_string()).unwrap();
    }
    let made = indexed(&home, folder.path()).index;
    let names: Vec<&str> = made.souls.iter().map(|entry| entry.display_name.as_str()).collect();
    assert_eq!(names, expected);
}

#[test]
fn the_same_files_make_the_same_index() {
    let home = Home::new();
    let make = |order: &[usize]| {
        let folder = tempfile::tempdir().unwrap();
        for number in order {
            write_package(&folder.path().join(format!("souls/owner-{}/pilot", number)), "1.0.0", &[]);
        }
        indexed(&home, folder.path());
        assert!(indexed(&home, folder.path()).unchanged);
        fs::read(folder.path().join("index.json")).unwrap()
    };
    assert_eq!(make(&[1, 2, 3, 4]), make(&[3, 1, 4, 2]));
}

#[test]
fn the_starter_registry_is_checked_and_its_index_current() {
    let home = Home::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/registry");
    let checked = run(&home.keeper(), check::Request { dir: folder.clone(), changed_since: None }).unwrap();
    assert!(checked.passed, "{}", checked.comment);
    assert_eq!(checked.packages.len(), 12);
    for package in &checked.packages {
        assert!(package.warnings.is_empty() && package.findings.is_empty(), "{}: {:?}", package.path, package.warnings);
        // Each shows how it answers, and keeps to its own rules.
        let target = Target::Path(folder.join(&package.path));
        let tested = run(&home.keeper(), test::Request { target, dialect: None, probing: None }).unwrap();
        assert!(tested.findings.is_empty(), "{}: {:?}", package.path, tested.findings);
    }
    let before = fs::read(folder.join("index.json")).unwrap();
    let copy = tempfile::tempdir().unwrap();
    assert!(std::process::Command::new("cp").arg("-r").arg(&folder).arg(copy.path()).status().unwrap().success());
    indexed(&home, &copy.path().join("registry"));
    assert!(
        fs::read(copy.path().join("registry/index.json")).unwrap() == before,
        "index.json is not current: see its README"
    );
}

pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let arguments = ["-c", "user.name=t", "-c", "user.email=t@localhost"].iter().chain(arguments);
    let done = std::process::Command::new("git").args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn a_check_fails_closed() {
    let (home, root) = (Home::new(), tempfile::tempdir().unwrap());
    let keeper = home.keeper();
    let (registry, source) = (root.path().join("registry"), root.path().join("pilot"));
    run(&keeper, init::Request { dir: registry.clone() }).unwrap();
    let checked = |since: Option<&str>| {
        run(&keeper, check::Request { dir: registry.clone(), changed_since: since.map(str::to_owned) })
    };
    assert!(checked(Some("nowhere")).is_err());
    write_package(&source, "1.0.0", &[]);
    let request = submit::Request { path: source.clone(), to: registry.to_string_lossy().into_owned(), key: None };
    let submitted = run(&keeper, request.clone()).unwrap();
    assert_eq!(submitted.branch, "submit/lighthouse-pilot-1.0.0");
    assert!(submitted.files.iter().all(|file| file.starts_with("souls/lighthouse/pilot/")));
    assert!(run(&keeper, request.clone()).unwrap().unchanged);
    assert!(!registry.join("souls/lighthouse").exists(), "the checkout was touched");
    git(&registry, &["merge", "--quiet", "--no-edit", &submitted.branch]);
    assert!(checked(Some("HEAD^")).unwrap().passed);
    assert_eq!(run(&keeper, request).unwrap_err().fault().code, "version_not_higher");

    let place = registry.join("souls/lighthouse/pilot");
    let manifest = fs::read_to_string(place.join("soul.json")).unwrap();
    let fails = |text: &str, why: &str| {
        let checked = checked(Some("HEAD")).unwrap();
        assert!(!checked.passed && checked.comment.contains(why), "{text}: {}", checked.comment);
    };
    fs::write(place.join("SOUL.md"), "# Pilot\n\nShort.\n").unwrap();
    fails("a short soul with an old version", "characters");
    fails("an old version", "version must be higher");
    write_package(&place, "1.1.0", &[]);
    for (from, to, why) in [
        (r#""github": "lighthouse""#, r#""github": "mallory""#, "belongs to lighthouse"),
        (r#""license": "MIT""#, r#""license": "GPL-3.0-only""#, "licence"),
        (r#""tags": ["ships"]"#, r#""tags": ["ships"], "registry": {"featured": true}"#, "featured"),
        (r#""name": "pilot""#, r#""name": "other""#, "its folder is"),
    ] {
        fs::write(place.join("soul.json"), manifest.replace("1.0.0", "1.1.0").replace(from, to)).unwrap();
        fails(to, why);
    }
    fs::write(place.join("soul.json"), "{").unwrap();
    assert!(!checked(Some("HEAD")).unwrap().passed);
}

#[test]
fn a_document_that_is_not_a_package_yet_shows_all_that_is_wrong() {
    let home = Home::new();
    let checked = |manifest: Value, soul: &str| {
        let request = serde_json::json!({ "manifest": manifest, "files": { "SOUL.md": soul }, "soulscan": true });
        crate::send(&home.keeper(), &crate::tester(), "registry.validate", &request).unwrap()
    };
    let answer = checked(serde_json::json!({ "name": "x" }), "hi");
    let fails = answer["checks"].as_array().unwrap().iter().filter(|check| check["type"] == "fail");
    let fails: Vec<&str> = fails.filter_map(|check| check["message"].as_str()).collect();
    assert!(answer["valid"] == false && fails.len() > 3, "{fails:?}");
    assert_eq!(checked(serde_json::json!({}), "hi")["valid"], false);
}
