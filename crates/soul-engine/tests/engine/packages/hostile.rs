//! Packages of people who mean harm: refused, and nothing is written.

use std::fs;
use std::path::Path;

use soul_engine::ops::{install, key, pack, verify};
use soul_engine::registry::archive::EXTENSION;

use super::{install_path, pilot, tree, write_package};
use crate::{Home, POISON, run};

/// Refuses what is at a path with this code, and leaves the home as it was.
fn refused(home: &Home, path: &Path, code: &str) {
    let keeper = home.keeper();
    let before = tree(home.0.path());
    let error = install_path(&keeper, path).map(|done| done.plan.refused).unwrap_err();
    assert_eq!(error.fault().code, code, "{error}");
    let after = tree(home.0.path());
    let is_ours =
        |path: &&std::path::PathBuf| !path.starts_with("packages") && !path.to_string_lossy().starts_with("keeper");
    let names = |tree: &std::collections::BTreeMap<std::path::PathBuf, Option<Vec<u8>>>| {
        tree.keys().filter(is_ours).cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&before), names(&after));
    assert!(!home.0.path().join("packages/lighthouse").exists(), "something was installed");
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_package(folder.path(), "1.0.0", &[]);
    folder
}

#[test]
fn a_manifest_that_points_outside() {
    for key in ["soul", "style", "identity", "agents", "heartbeat", "userTemplate", "rules"] {
        let folder = folder();
        let manifest = fs::read_to_string(folder.path().join("soul.json")).unwrap();
        let manifest = manifest.replace(
            r#""files": {"soul": "SOUL.md"}"#,
            &format!(r#""files": {{"soul": "SOUL.md", "{key}": "../../secret.md"}}"#),
        );
        fs::write(folder.path().join("soul.json"), manifest).unwrap();
        refused(&Home::new(), folder.path(), "package_refused");
    }
}

#[test]
fn names_that_lead_elsewhere() {
    for (key, value) in [
        ("\"name\": \"pilot\"", "\"name\": \"..\""),
        ("\"github\": \"lighthouse\"", "\"github\": \"../..\""),
        ("\"name\": \"pilot\"", "\"name\": \"a b\""),
    ] {
        let folder = folder();
        let manifest = fs::read_to_string(folder.path().join("soul.json")).unwrap().replace(key, value);
        fs::write(folder.path().join("soul.json"), manifest).unwrap();
        refused(&Home::new(), folder.path(), "bad_package");
    }
    let folder = folder();
    let manifest = fs::read_to_string(folder.path().join("soul.json")).unwrap().replace("1.0.0", "1.0.0/../../x");
    fs::write(folder.path().join("soul.json"), manifest).unwrap();
    refused(&Home::new(), folder.path(), "package_invalid");
}

#[cfg(unix)]
#[test]
fn links() {
    for target in ["/etc/passwd", "SOUL.md", "../outside"] {
        let folder = folder();
        std::os::unix::fs::symlink(target, folder.path().join("IDENTITY.md")).unwrap();
        refused(&Home::new(), folder.path(), "package_unsafe");
    }
    let folder = folder();
    std::os::unix::fs::symlink("/etc", folder.path().join("skills")).unwrap();
    refused(&Home::new(), folder.path(), "package_unsafe");
}

#[test]
fn names_that_clash_or_are_reserved() {
    for name in ["soul.MD", "nul.md", "a\\b.md", "x%2f..%2fy.md", "a\u{202e}b.md"] {
        let folder = folder();
        fs::write(folder.path().join(name), "x").unwrap();
        refused(&Home::new(), folder.path(), "package_unsafe");
    }
}

#[test]
fn a_huge_manifest_and_a_huge_package() {
    let big = folder();
    let manifest = fs::read_to_string(big.path().join("soul.json")).unwrap();
    fs::write(big.path().join("soul.json"), manifest + &" ".repeat(300_000)).unwrap();
    refused(&Home::new(), big.path(), "package_too_large");
    let big = folder();
    fs::write(big.path().join("image.png"), vec![0; 17 << 20]).unwrap();
    refused(&Home::new(), big.path(), "package_too_large");
}

#[test]
fn a_poisoned_soul() {
    let folder = folder();
    fs::write(folder.path().join("SOUL.md"), POISON).unwrap();
    refused(&Home::new(), folder.path(), "package_refused");
    let folder = self::folder();
    fs::create_dir(folder.path().join("hooks")).unwrap();
    fs::write(folder.path().join("hooks/bootstrap.md"), POISON).unwrap();
    refused(&Home::new(), folder.path(), "package_refused");
}

fn packed(home: &Home, folder: &Path, key: Option<&str>) -> std::path::PathBuf {
    let out = folder.with_extension(EXTENSION.trim_start_matches('.'));
    let request =
        pack::Request { dir: folder.to_path_buf(), out: Some(out.clone()), check: false, key: key.map(str::to_owned) };
    run(&home.keeper(), request).unwrap();
    out
}

#[test]
fn a_wrong_checksum() {
    let (home, folder) = (Home::new(), folder());
    fs::write(folder.path().join("SHA256SUMS"), format!("{}  SOUL.md\n", "0".repeat(64))).unwrap();
    refused(&home, folder.path(), "wrong_checksum");
}

#[test]
fn another_signature() {
    let (home, folder) = (Home::new(), folder());
    let keeper = home.keeper();
    for name in ["one", "two"] {
        run(&keeper, key::create::Request { name: name.to_owned() }).unwrap();
    }
    let first = install_path(&keeper, &packed(&home, folder.path(), Some("one"))).unwrap();
    assert!(first.installed.unwrap().signature.is_some());
    let trusted = fs::read_to_string(home.0.path().join("keys.toml")).unwrap();
    assert!(trusted.contains("lighthouse"));
    write_package(folder.path(), "1.1.0", &[]);
    for key in [Some("two"), None] {
        let archive = packed(&home, folder.path(), key);
        let error = install_path(&keeper, &archive).unwrap_err();
        assert_eq!(error.fault().code, "bad_signature", "{error}");
    }
    assert_eq!(fs::read_to_string(home.0.path().join("keys.toml")).unwrap(), trusted);
    let done = install_path(&keeper, &packed(&home, folder.path(), Some("one"))).unwrap();
    assert_eq!(done.plan.version.to_string(), "1.1.0");
    fs::write(home.0.path().join("packages/lighthouse/pilot/1.1.0/SOUL.md"), "changed").unwrap();
    let verified = run(&keeper, verify::Request { package: Some(pilot()) }).unwrap();
    assert!(!verified.passed && !verified.packages[0].problems.is_empty());
}

#[test]
fn a_plan_that_changed_after_consent() {
    let (home, folder) = (Home::new(), folder());
    let keeper = home.keeper();
    let request = install::Request { path: Some(folder.path().to_path_buf()), ..install::Request::default() };
    let plan = run(&keeper, request.clone()).unwrap().plan;
    fs::write(folder.path().join("STYLE.md"), "# Style\n\n- Be long.\n").unwrap();
    let error = run(&keeper, install::Request { plan_digest: Some(plan.digest), ..request }).unwrap_err();
    assert_eq!(error.fault().code, "plan_changed");
    assert!(!home.0.path().join("packages/lighthouse").exists());
}

#[test]
fn a_name_that_is_taken_over() {
    let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
    home.config("[registry]\nsources = [\"ours\"]\n");
    let registry = home.0.path().join("ours");
    write_package(&registry.join("souls/lighthouse/pilot"), "1.0.0", &[]);
    let keeper = home.keeper();
    let named = install::Request { package: Some("lighthouse/pilot".parse().unwrap()), ..install::Request::default() };
    let plan = run(&keeper, named.clone()).unwrap().plan;
    run(&keeper, install::Request { plan_digest: Some(plan.digest), ..named }).unwrap();
    write_package(folder.path(), "9.0.0", &[]);
    let error = install_path(&keeper, folder.path()).unwrap_err();
    assert_eq!(error.fault().code, "package_refused");
    assert!(error.to_string().contains("uninstall it first"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_home_whose_folders_lead_elsewhere() {
    for link in ["packages", "packages/lighthouse", "packages/lighthouse/pilot"] {
        let (home, source, elsewhere) = (Home::new(), folder(), tempfile::tempdir().unwrap());
        let path = home.0.path().join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &path).unwrap();
        let error = install_path(&home.keeper(), source.path()).unwrap_err();
        assert_eq!(error.fault().code, "folder_linked", "{link}");
        assert!(tree(elsewhere.path()).is_empty(), "{link}: something was written through a link");
    }
}

#[cfg(unix)]
#[test]
fn an_install_that_fails_is_taken_back_at_once() {
    use std::os::unix::fs::PermissionsExt;
    let (home, source) = (Home::new(), folder());
    let packages = home.0.path().join("packages");
    // A file where the folder of the owner would be: also root cannot write through it.
    fs::create_dir_all(&packages).unwrap();
    fs::write(packages.join("lighthouse"), "").unwrap();
    fs::set_permissions(&packages, fs::Permissions::from_mode(0o700)).unwrap();
    run(&home.keeper(), key::create::Request { name: "default".to_owned() }).unwrap();
    let archive = packed(&home, source.path(), Some("default"));
    assert_eq!(install_path(&home.keeper(), &archive).unwrap_err().fault().code, "io");
    let lock = fs::read_to_string(home.0.path().join("soul.lock")).unwrap();
    assert!(!lock.contains("pilot"), "{lock}");
    let trusted = fs::read_to_string(home.0.path().join("keys.toml")).unwrap();
    assert!(!trusted.contains("lighthouse"), "a key is trusted for nothing: {trusted}");
}

#[test]
fn a_name_that_differs_only_in_case() {
    let (home, first, second) = (Home::new(), folder(), folder());
    install_path(&home.keeper(), first.path()).unwrap();
    let manifest = fs::read_to_string(second.path().join("soul.json")).unwrap();
    fs::write(second.path().join("soul.json"), manifest.replace("\"lighthouse\"", "\"LightHouse\"")).unwrap();
    assert_eq!(install_path(&home.keeper(), second.path()).unwrap_err().fault().code, "package_unsafe");
    assert!(!home.0.path().join("packages/LightHouse").exists());
}

#[cfg(unix)]
#[test]
fn a_registry_with_links_among_its_packages() {
    let (home, registry) = (Home::new(), tempfile::tempdir().unwrap());
    let place = registry.path().join("souls/lighthouse/pilot");
    write_package(&place, "1.0.0", &[]);
    let check = || {
        let request = soul_engine::ops::registry::check::Request { dir: registry.path().into(), changed_since: None };
        run(&home.keeper(), request).unwrap()
    };
    assert!(check().passed);
    for link in ["souls/mallory", "souls/lighthouse/other"] {
        std::os::unix::fs::symlink("/", registry.path().join(link)).unwrap();
        let checked = check();
        assert!(!checked.passed && checked.problems[0].contains(link), "{link}: {:?}", checked.problems);
        fs::remove_file(registry.path().join(link)).unwrap();
    }
}

#[test]
fn a_package_that_is_nested_too_deeply_is_not_cut_off() {
    let folder = folder();
    let deep = format!("skills/{}", "d/".repeat(130));
    fs::create_dir_all(folder.path().join(&deep)).unwrap();
    fs::write(folder.path().join(&deep).join("x.md"), "x").unwrap();
    let keeper = Home::new();
    assert!(install_path(&keeper.keeper(), folder.path()).is_err());
}
