//! Who may read the home, whichever command makes it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Everything under a folder with its mode, the folder itself too.
fn modes(path: &Path, found: &mut Vec<(String, u32, bool)>) {
    let metadata = fs::symlink_metadata(path).unwrap();
    found.push((path.display().to_string(), metadata.permissions().mode() & 0o777, metadata.is_dir()));
    if metadata.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| modes(&entry.unwrap().path(), found));
    }
}

fn check(home: &Path, made_by: &str) {
    let mut found = Vec::new();
    modes(home, &mut found);
    assert_eq!(found[0].1, 0o700, "the home that `{made_by}` makes: {:o}", found[0].1);
    for (path, mode, _) in found.iter().filter(|(path, ..)| path.contains("keeper.")) {
        assert_eq!(*mode, 0o600, "{path} that `{made_by}` makes: {mode:o}");
    }
}

#[test]
fn the_home_is_its_owner_s_alone_whatever_makes_it() {
    let commands = [
        "library create --name Ops --content Brief.",
        "library select default",
        "write coder --create --file SOUL.md",
        "session start",
        "task add",
        "token create --role viewer",
        "memory add coder Staging",
        "memory search . staging",
        "log",
        "doctor",
        "audit verify",
        "list",
    ];
    let soul = |command: &str, place: &Path| {
        // The usual mask, under which others may read what nobody forbids.
        let mut sh = Command::new("sh");
        sh.args(["-c", &format!("umask 022; exec \"$0\" {command}"), env!("CARGO_BIN_EXE_soul")]);
        sh.env("SOUL_HOME", place.join("user/home")).env_remove("SOUL_SERVER").current_dir(place);
        sh
    };
    let mut made = 0;
    for command in commands {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(place.path().join("SOUL.md"), "You help.\n").unwrap();
        fs::write(place.path().join("MEMORY.md"), "# Servers\n\nStaging.\n").unwrap();
        let home = place.path().join("user/home");
        soul(command, place.path()).output().unwrap();
        if home.exists() {
            check(&home, command);
            made += 1;
        }
    }
    assert!(made >= 6, "{made} commands made a home");
    let place = tempfile::tempdir().unwrap();
    let mut service = soul("serve --listen 127.0.0.1:0", place.path()).stdout(Stdio::piped()).spawn().unwrap();
    BufReader::new(service.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    check(&place.path().join("user/home"), "serve");
    service.kill().unwrap();
    service.wait().unwrap();
}
