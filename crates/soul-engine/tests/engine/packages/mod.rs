//! Packages on real files: planned, installed, used, taken back, and indexed.

pub(crate) mod crashes;
mod hostile;
mod registries;
mod signatures;
mod versions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use soul_engine::Keeper;
use soul_engine::ops::{Error, install, restore, uninstall, r#use, verify};
use soul_engine::registry::PackageName;

use super::{Home, coder, run};

/// A package that a registry would take.
pub(crate) fn write_package(folder: &Path, version: &str, more: &[(&str, &str)]) {
    let manifest = format!(
        r#"{{"specVersion": "0.6", "name": "pilot", "displayName": "Pilot", "version": "{version}",
  "description": "Guides ships through narrow water.", "author": {{"name": "Lighthouse", "github": "lighthouse"}},
  "license": "MIT", "tags": ["ships"], "category": "lifestyle/assistant", "files": {{"soul": "SOUL.md"}}}}"#
    );
    let soul = format!(
        "# Pilot\n\nYou guide ships through narrow water, one buoy at a time, and you say how deep it is. Version {version}.\n\n## Limits\n\n- Never guess a depth.\n"
    );
    let files = [
        ("soul.json", manifest.as_str()),
        ("SOUL.md", &soul),
        ("STYLE.md", "# Style\n\n- Be brief.\n"),
        ("AGENTS.md", "# Work\n\n1. Ask for the draught.\n"),
    ];
    for (path, text) in files.iter().chain(more) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

pub(super) fn pilot() -> PackageName {
    "lighthouse/pilot".parse().unwrap()
}

/// Plans and installs what is at a path.
pub(crate) fn install_path(keeper: &Keeper, path: &Path) -> Result<install::Response, Error> {
    let request = install::Request { path: Some(path.to_path_buf()), ..install::Request::default() };
    let plan = run(keeper, request.clone())?.plan;
    run(keeper, install::Request { plan_digest: Some(plan.digest), ..request })
}

/// Every file below a folder, to the byte, and every folder.
pub(super) fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
        for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(root).unwrap().to_path_buf();
            if path.is_dir() {
                found.insert(name, None);
                collect(root, &path, found);
            } else {
                found.insert(name, Some(fs::read(&path).unwrap()));
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

#[test]
fn a_package_is_installed_used_updated_and_taken_back() {
    let home = Home::new();
    let source = tempfile::tempdir().unwrap();
    let keeper = home.keeper();
    fs::write(home.soul(), "You write code.\n").unwrap();
    fs::write(home.agent().join("STYLE.md"), "# Mine\n").unwrap();
    fs::write(home.agent().join("AGENTS.md"), "# My work\n").unwrap();
    fs::write(home.agent().join("USER.md"), "# Sam\n").unwrap();
    let before = tree(&home.agent());
    write_package(
        source.path(),
        "1.0.0",
        &[
            ("USER_TEMPLATE.md", "# You\n"),
            ("memory/MEMORY.md", "# Memory\n"),
            ("skills/read/SKILL.md", "---\nname: read\ndescription: Read.\n---\nRead.\n"),
        ],
    );
    install_path(&keeper, source.path()).unwrap();
    assert!(run(&keeper, verify::Request { package: None }).unwrap().passed);
    let used = run(&keeper, r#use::Request { package: pilot(), agent: Some(coder()), message: None }).unwrap();
    assert_eq!(used.kept, ["USER.md"]);
    let agents = fs::read_to_string(home.agent().join("AGENTS.md")).unwrap();
    assert!(
        agents.starts_with("# My work\n") && agents.contains("<!-- package:begin lighthouse/pilot -->"),
        "{agents}"
    );
    assert_eq!(fs::read_to_string(home.agent().join("USER.md")).unwrap(), "# Sam\n");
    assert!(home.agent().join("skills/read/SKILL.md").exists() && home.agent().join("MEMORY.md").exists());
    assert_eq!(used.change.unwrap().soul.dialect, Some(soul_core::model::Dialect::Soulspec));
    let first = tree(&home.agent());

    fs::remove_dir_all(source.path().join("skills")).unwrap();
    write_package(source.path(), "1.1.0", &[]);
    install_path(&keeper, source.path()).unwrap();
    assert!(!home.0.path().join("packages/lighthouse/pilot/1.0.0").exists());
    run(&keeper, r#use::Request { package: pilot(), agent: Some(coder()), message: None }).unwrap();
    assert!(!home.agent().join("skills").join("read/SKILL.md").exists(), "the skill of the version before is left");
    run(&keeper, restore::Request { agent: coder(), force: false }).unwrap();
    assert_eq!(tree(&home.agent()), first);
    run(&keeper, restore::Request { agent: coder(), force: false }).unwrap();
    assert_eq!(tree(&home.agent()), before);
    assert!(run(&keeper, restore::Request { agent: coder(), force: false }).is_err());
    run(&keeper, uninstall::Request { package: pilot() }).unwrap();
    assert!(!home.0.path().join("packages/lighthouse").exists());
}

#[test]
fn what_was_edited_or_remembered_since_is_not_lost() {
    let home = Home::new();
    let source = tempfile::tempdir().unwrap();
    let keeper = home.keeper();
    write_package(source.path(), "1.0.0", &[("memory/MEMORY.md", "# Memory\n")]);
    install_path(&keeper, source.path()).unwrap();
    run(&keeper, r#use::Request { package: pilot(), agent: Some(coder()), message: None }).unwrap();
    fs::write(home.agent().join("MEMORY.md"), "# Memory\n\nThe tide turns at six.\n").unwrap();
    fs::write(home.agent().join("STYLE.md"), "# Mine now\n").unwrap();
    let refused = run(&keeper, restore::Request { agent: coder(), force: false }).unwrap_err();
    assert_eq!(refused.fault().code, "files_changed");
    assert_eq!(fs::read_to_string(home.agent().join("STYLE.md")).unwrap(), "# Mine now\n");
    let restored = run(&keeper, restore::Request { agent: coder(), force: true }).unwrap();
    assert_eq!(restored.kept, ["MEMORY.md"]);
    assert!(fs::read_to_string(home.agent().join("MEMORY.md")).unwrap().contains("tide"));
    assert!(!home.agent().join("STYLE.md").exists());
}
