//! `kill -9` before and after every git command of a pull and of a publish, and at random times: the next call heals.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Keeper, Remote, soul};
use crate::processes::times;

fn long(name: &str, identity: &str, limits: &str) -> String {
    soul(name, &format!("\n# Identity\n\n{identity}\n\n# Limits\n\n- {limits}"))
}

/// A home with a change of every kind on each side.
fn prepare(root: &Path) {
    let remote = Remote::new(root);
    remote.commit("one", |work| {
        for id in ["take", "merge", "old", "gone", "mine"] {
            fs::write(work.join(format!("souls/{id}.md")), long(id, "one", "one")).unwrap();
        }
    });
    let keeper = Keeper::connected(root, "home", &remote);
    keeper.ok(&["sync", "pull"]);
    remote.commit("two", |work| {
        let souls = work.join("souls");
        fs::write(souls.join("take.md"), long("take", "two", "one")).unwrap();
        // Neighbouring lines: merging the merged text again would be a conflict.
        fs::write(souls.join("merge.md"), long("merge", "two\nthree", "one")).unwrap();
        fs::rename(souls.join("old.md"), souls.join("renamed.md")).unwrap();
        fs::remove_file(souls.join("gone.md")).unwrap();
        fs::write(souls.join("new.md"), long("new", "one", "one")).unwrap();
    });
    keeper.write("merge", &long("merge", "one", "ours"));
    keeper.write("mine", &long("mine", "mine", "one"));
}

/// A git that kills whoever runs it, before or after the n-th command.
fn wrapper(root: &Path) {
    let real = String::from_utf8(Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout).unwrap();
    let script = format!(
        "#!/bin/sh\nn=$(($(cat {root}/count 2>/dev/null || echo 0) + 1))\necho $n > {root}/count\n\
         [ \"$KILL_BEFORE\" = $n ] && kill -9 $PPID && exit 1\n{} \"$@\"\ncode=$?\n\
         [ \"$KILL_AFTER\" = $n ] && kill -9 $PPID\nexit $code\n",
        real.trim(),
        root = root.display()
    );
    fs::create_dir_all(root.join("bin")).unwrap();
    fs::write(root.join("bin/git"), script).unwrap();
    fs::set_permissions(root.join("bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
}

/// Whatever happened: the next calls bring everything where it belongs, and nothing is lost.
fn assert_heals(root: &Path, about: &str) {
    let (remote, keeper) = (Remote { root: root.to_path_buf() }, Keeper { home: root.join("home") });
    let (code, pulled) = keeper.json(&["sync", "pull"]);
    assert_eq!((code, &pulled["conflicts"]), (3, &serde_json::json!(["souls/gone"])), "{about}: {pulled}");
    assert_eq!(keeper.text("take"), Some(long("take", "two", "one")), "{about}");
    assert_eq!(keeper.text("merge"), Some(long("merge", "two\nthree", "ours")), "{about}");
    assert_eq!(keeper.text("new"), Some(long("new", "one", "one")), "{about}");
    assert_eq!((keeper.text("old"), keeper.text("renamed")), (None, Some(long("old", "one", "one"))), "{about}");
    assert!(keeper.text("gone").is_some(), "{about}");
    let (code, said) = keeper.json(&["sync", "publish", "--all"]);
    assert!(code == 0 || said["error"]["code"] == "nothing_to_publish", "{about}: {said}");
    assert_eq!(remote.text("souls/merge.md"), keeper.text("merge"), "{about}");
    assert_eq!(remote.text("souls/mine.md"), Some(long("mine", "mine", "one")), "{about}");
    assert_eq!(keeper.ok(&["audit", "verify"])["ok"], true, "{about}");
    let counts = keeper.status()["counts"].clone();
    assert_eq!((&counts["synced"], &counts["conflict"]), (&5.into(), &1.into()), "{about}: {counts}");
}

#[test]
fn a_kill_at_every_git_command_is_healed_by_the_next_call() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let world = root.join("world");
    fs::create_dir(&world).unwrap();
    prepare(&world);
    copy(&world, &root.join("saved"));
    let path = format!("{}:{}", world.join("bin").display(), std::env::var("PATH").unwrap());
    let all = times(10) == 10;
    for (number, command) in [&["sync", "pull"][..], &["sync", "publish", "--all"]].into_iter().enumerate() {
        let mut n = 1;
        loop {
            let ways = if all {
                vec!["KILL_BEFORE", "KILL_AFTER"]
            } else {
                vec![["KILL_BEFORE", "KILL_AFTER"][(n + number) % 2]]
            };
            let mut killed = false;
            for when in ways {
                copy(&root.join("saved"), &world);
                wrapper(&world);
                let keeper = Keeper { home: world.join("home") };
                let mut run = keeper.command(command);
                let status = run
                    .env("PATH", &path)
                    .env(when, n.to_string())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status();
                killed |= status.unwrap().code().is_none();
                assert_heals(&world, &format!("{command:?} {when} {n}"));
            }
            if !killed {
                break;
            }
            // Each step, or one of four.
            n += if all { 1 } else { 4 };
        }
        assert!(n > 5, "{command:?} ran git {n} times");
    }
}

#[test]
fn a_kill_at_any_time_is_healed_by_the_next_call() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let world = root.join("world");
    fs::create_dir(&world).unwrap();
    prepare(&world);
    copy(&world, &root.join("saved"));
    let rounds = times(100);
    for round in 0..rounds {
        copy(&root.join("saved"), &world);
        let keeper = Keeper { home: world.join("home") };
        let command = if round % 2 == 0 { &["sync", "pull"][..] } else { &["sync", "publish", "--all"] };
        let mut child = keeper.command(command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pause = 40 + (round * 300 / rounds.max(1)) as u64;
        std::thread::sleep(Duration::from_millis(pause));
        let _ = child.kill();
        child.wait().unwrap();
        assert_heals(&world, &format!("{command:?} after {pause} ms"));
    }
}
