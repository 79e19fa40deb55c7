//! Signatures against the program whose form they have. Where `minisign` is not installed, that is said aloud.

use std::fs;
use std::path::Path;
use std::process::Command;

use soul_engine::ops::{install, key, pack};
use soul_engine::registry::SignatureState;

use super::write_package;
use crate::{Home, run};

fn is_installed() -> bool {
    let is_there = Command::new("minisign").arg("-v").output().is_ok();
    if !is_there {
        println!("SKIPPED: minisign is not installed (scripts/test installs it), so signatures are not cross-checked");
    }
    is_there
}

fn minisign(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new("minisign").args(arguments).current_dir(folder).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    if done.status.success() { Ok(said) } else { Err(said) }
}

fn packed(home: &Home, folder: &Path, key: &str) -> pack::Response {
    let out = home.0.path().join("pilot.soul.tar.gz");
    let key = Some(key.to_owned());
    run(&home.keeper(), pack::Request { dir: folder.to_path_buf(), out: Some(out), check: false, key }).unwrap()
}

/// The files of an archive, in a folder.
fn unpacked(archive: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let done = Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder.path()).status().unwrap();
    assert!(done.success());
    folder
}

#[test]
fn minisign_verifies_what_we_sign() {
    if !is_installed() {
        return;
    }
    let (home, source) = (Home::new(), tempfile::tempdir().unwrap());
    write_package(source.path(), "1.0.0", &[]);
    let own = run(&home.keeper(), key::create::Request { name: "default".to_owned() }).unwrap();
    packed(&home, source.path(), "default");
    let folder = unpacked(&home.0.path().join("pilot.soul.tar.gz"));
    let verify = ["-V", "-P", own.public_key.as_str(), "-m", "SHA256SUMS"];
    let said = minisign(folder.path(), &verify).unwrap();
    assert!(said.contains("lighthouse/pilot 1.0.0"), "the comment that is signed: {said}");
    // The public key as a file, which is what others are given.
    let file = home.0.path().join("keys/default.pub");
    minisign(folder.path(), &["-V", "-p", file.to_str().unwrap(), "-m", "SHA256SUMS"]).unwrap();
    fs::write(folder.path().join("SHA256SUMS"), "changed\n").unwrap();
    minisign(folder.path(), &verify).unwrap_err();
}

#[test]
fn we_verify_what_minisign_signs() {
    if !is_installed() {
        return;
    }
    let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
    write_package(folder.path(), "1.0.0", &[]);
    let keys = tempfile::tempdir().unwrap();
    let at = |name: &str| keys.path().join(name).to_str().unwrap().to_owned();
    minisign(keys.path(), &["-G", "-W", "-p", &at("m.pub"), "-s", &at("m.key")]).unwrap();
    let public = fs::read_to_string(at("m.pub")).unwrap();
    let public = public.lines().last().unwrap().to_owned();
    let sums = unpacked_sums(folder.path());
    fs::write(folder.path().join("SHA256SUMS"), &sums).unwrap();
    let planned = || {
        let request = install::Request { path: Some(folder.path().to_path_buf()), ..install::Request::default() };
        run(&home.keeper(), request)
    };
    let sign = |comment: &str| {
        let arguments = ["-S", "-s", &at("m.key"), "-m", "SHA256SUMS", "-t", comment];
        minisign(folder.path(), &arguments).unwrap();
    };
    // Without the key in the comment a stranger cannot verify it, and is not asked to believe it.
    sign("pilot");
    assert_eq!(planned().unwrap_err().fault().code, "bad_signature");
    sign(&format!("pilot key:{public}"));
    let signed = planned().unwrap().plan.signature;
    assert_eq!((signed.state, signed.key.unwrap().to_string()), (SignatureState::FirstUse, public.clone()));
    // Who knows the key needs no comment.
    sign("pilot");
    let trust = key::trust::Request { owner: "lighthouse".to_owned(), key: public.parse().unwrap() };
    run(&home.keeper(), trust).unwrap();
    assert_eq!(planned().unwrap().plan.signature.state, SignatureState::Trusted);
}

#[test]
fn a_key_of_minisign_signs_here() {
    if !is_installed() {
        return;
    }
    let (home, source) = (Home::new(), tempfile::tempdir().unwrap());
    write_package(source.path(), "1.0.0", &[]);
    let keys = home.0.path().join("keys");
    fs::create_dir_all(&keys).unwrap();
    minisign(&keys, &["-G", "-W", "-p", "mine.pub", "-s", "mine.key"]).unwrap();
    let signed = packed(&home, source.path(), "mine").signed_by.unwrap();
    let folder = unpacked(&home.0.path().join("pilot.soul.tar.gz"));
    minisign(folder.path(), &["-V", "-P", signed.as_str(), "-m", "SHA256SUMS"]).unwrap();
    // And minisign takes ours.
    run(&home.keeper(), key::create::Request { name: "ours".to_owned() }).unwrap();
    fs::write(keys.join("text"), "text").unwrap();
    minisign(&keys, &["-S", "-s", "ours.key", "-m", "text"]).unwrap();
    minisign(&keys, &["-V", "-p", "ours.pub", "-m", "text"]).unwrap();
}

#[test]
fn a_key_with_a_password_is_named_as_one() {
    let (home, source) = (Home::new(), tempfile::tempdir().unwrap());
    write_package(source.path(), "1.0.0", &[]);
    let keys = home.0.path().join("keys");
    fs::create_dir_all(&keys).unwrap();
    // The head of such a key: Ed, Sc, B2.
    let key = "untrusted comment: minisign encrypted secret key\nRWRTY0Iy\n";
    fs::write(keys.join("mine.key"), key).unwrap();
    let key = Some("mine".to_owned());
    let request = pack::Request { dir: source.path().to_path_buf(), out: None, check: true, key };
    assert_eq!(run(&home.keeper(), request).unwrap_err().fault().code, "key_has_password");
}

/// The checksums of a folder as `sha256sum` writes them.
fn unpacked_sums(folder: &Path) -> String {
    let command = "find . -type f | sed 's|^./||' | LC_ALL=C sort | xargs sha256sum";
    let done = Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}
