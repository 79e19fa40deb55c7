//! `kill -9` before and after every git command of each command that changes something, and at random times: the next call
//! heals.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::{Keeper, Remote, soul};
use crate::processes::times;

/// A home with a change of every kind on each side, what is done with it, and what must be true after the next calls,
/// whatever happened.
struct Scenario {
    prepare: fn(&Path),
    commands: [&'static [&'static str]; 2],
    heals: fn(&Path, &str),
}

const SOULS: Scenario = Scenario {
    prepare: prepare_souls,
    commands: [&["sync", "pull"], &["sync", "publish", "--all"]],
    heals: souls_heal,
};

const MEMORY: Scenario = Scenario {
    prepare: prepare_memory,
    commands: [&["memory", "pull", "--agent", "ada"], &["memory", "push", "--agent", "ada"]],
    heals: memory_heals,
};

fn long(name: &str, identity: &str, limits: &str) -> String {
    soul(name, &format!("\n# Identity\n\n{identity}\n\n# Limits\n\n- {limits}"))
}

fn prepare_souls(root: &Path) {
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

fn souls_heal(root: &Path, about: &str) {
    let (remote, keeper) = (Remote { root: root.to_path_buf() }, Keeper { home: root.join("home") });
    let (code, pulled) = keeper.json(&["sync", "pull"]);
    assert_eq!((code, &pulled["conflicts"]), (3, &json!(["souls/gone"])), "{about}: {pulled}");
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

const DAY: &str = "memory/2026-11-17.md";

fn facts(port: &str, people: &str) -> String {
    format!("# Servers\n\nStaging: {port}\n\n# People\n\n{people}")
}

fn log(entries: &[&str]) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| format!("## {entry}\n\nDone.\n")).collect();
    format!("# 2026-11-17\n\n{}", entries.join("\n"))
}

fn prepare_memory(root: &Path) {
    let remote = Remote::new(root);
    let keeper = Keeper::new(root, "home");
    let agent = keeper.home.join("agents/ada");
    fs::create_dir_all(agent.join("memory")).unwrap();
    let put = |folder: &Path, path: &str, text: &str| fs::write(folder.join(path), text).unwrap();
    put(&agent, "SOUL.md", "You are Ada.\n");
    put(&agent, "MEMORY.md", &facts("8080", "- Ada\n"));
    put(&agent, DAY, &log(&["09:00"]));
    put(&agent, "memory/topic-gone.md", "# Gone\n\nthere\n");
    put(&agent, "memory/topic-removed.md", "# Removed\n\nhere\n");
    keeper.ok(&["memory", "init", "--agent", "ada", "--remote", &remote.url()]);
    keeper.ok(&["memory", "push", "--agent", "ada"]);
    remote.commit("two", |work| {
        put(work, "MEMORY.md", &facts("9090", "- Ada\n"));
        put(work, DAY, &log(&["09:00", "10:00 there"]));
        put(work, "memory/topic-new.md", "# New\n\nthere\n");
        fs::remove_file(work.join("memory/topic-gone.md")).unwrap();
    });
    put(&agent, "MEMORY.md", &facts("8080", "- Ada\n- Bob\n"));
    put(&agent, DAY, &log(&["09:00", "10:00 here"]));
    put(&agent, "memory/topic-mine.md", "# Mine\n\nhere\n");
    fs::remove_file(agent.join("memory/topic-removed.md")).unwrap();
}

fn memory_heals(root: &Path, about: &str) {
    let (remote, keeper) = (Remote { root: root.to_path_buf() }, Keeper { home: root.join("home") });
    keeper.ok(&["memory", "push", "--agent", "ada"]);
    let text = |path: &str| fs::read_to_string(keeper.home.join("agents/ada").join(path)).ok();
    assert_eq!(text("MEMORY.md"), Some(facts("9090", "- Ada\n- Bob\n")), "{about}");
    let day = text(DAY).unwrap();
    for entry in ["09:00", "10:00 here", "10:00 there"] {
        assert_eq!(day.matches(&format!("## {entry}\n")).count(), 1, "{about}: a merge is not made twice\n{day}");
    }
    let files = [".gitignore", "MEMORY.md", DAY, "memory/topic-mine.md", "memory/topic-new.md"];
    assert_eq!(remote.files(), files, "{about}");
    for file in &files[1..] {
        assert_eq!(remote.text(file), text(file), "{about}: {file}");
    }
    assert_eq!((text("memory/topic-gone.md"), text("memory/topic-removed.md")), (None, None), "{about}");
    let sync = keeper.ok(&["memory", "status", "--agent", "ada"])["sync"].clone();
    assert_eq!((&sync["ahead"], &sync["behind"]), (&0.into(), &0.into()), "{about}: {sync}");
    let again = keeper.ok(&["memory", "push", "--agent", "ada"]);
    assert_eq!(again["message"], "nothing to push: the remote has everything", "{about}");
    let folders = fs::read_dir(keeper.home.join("memory-history")).unwrap();
    let mut kept = folders.flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap());
    assert!(kept.any(|file| fs::read(file.unwrap().path()).unwrap() == b"# Gone\n\nthere\n"), "{about}: it is kept");
}

/// A git that kills the program that runs it, before or after the n-th command.
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

/// Prepares a scenario and a copy of it, and calls back with the folder that it is in.
fn with_world(scenario: &Scenario, test: impl FnOnce(&Path, &dyn Fn())) {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let (world, saved) = (root.join("world"), root.join("saved"));
    fs::create_dir(&world).unwrap();
    (scenario.prepare)(&world);
    wrapper(&world);
    copy(&world, &saved);
    test(&world, &|| copy(&saved, &world));
}

/// Kills at each git command; without `SOUL_LONG=1` at one of six, before or after it.
fn kill_at_git_commands(scenario: &Scenario) {
    with_world(scenario, |world, restore| {
        let path = format!("{}:{}", world.join("bin").display(), std::env::var("PATH").unwrap());
        let all = times(10) == 10;
        for (number, command) in scenario.commands.into_iter().enumerate() {
            let mut n = 1;
            loop {
                let ways = ["KILL_BEFORE", "KILL_AFTER"];
                let ways = if all { &ways[..] } else { &ways[(n + number) % 2..][..1] };
                let mut killed = false;
                for when in ways {
                    restore();
                    let mut run = Keeper { home: world.join("home") }.command(command);
                    run.env("PATH", &path).env(when, n.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
                    killed |= run.status().unwrap().code().is_none();
                    (scenario.heals)(world, &format!("{command:?} {when} {n}"));
                }
                if !killed {
                    break;
                }
                n += if all { 1 } else { 6 };
            }
            println!("{command:?}: killed at {n} git commands");
            assert!(n > 5, "{command:?} ran git {n} times");
        }
    });
}

/// Kills at times that are spread over the whole command.
fn kill_at_any_time(scenario: &Scenario, rounds: usize) {
    with_world(scenario, |world, restore| {
        for round in 0..rounds {
            restore();
            let command = scenario.commands[round % 2];
            let keeper = Keeper { home: world.join("home") };
            let mut child = keeper.command(command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let pause = 40 + (round * 300 / rounds.max(1)) as u64;
            std::thread::sleep(Duration::from_millis(pause));
            let _ = child.kill();
            child.wait().unwrap();
            (scenario.heals)(world, &format!("{command:?} after {pause} ms"));
        }
    });
}

#[test]
fn a_kill_at_every_git_command_is_healed_by_the_next_call() {
    kill_at_git_commands(&SOULS);
}

#[test]
fn a_kill_at_any_time_is_healed_by_the_next_call() {
    kill_at_any_time(&SOULS, times(100));
}

#[test]
fn a_kill_at_every_git_command_of_a_memory_is_healed_by_the_next_call() {
    kill_at_git_commands(&MEMORY);
}

#[test]
fn a_kill_at_any_time_of_a_memory_is_healed_by_the_next_call() {
    kill_at_any_time(&MEMORY, times(60));
}
