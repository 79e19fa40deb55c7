//! Copies of a workspace, as processes: written at once, shared, killed, and replaced meanwhile.
//!
//! A tenth of each loop runs unless `SOUL_LONG=1`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::processes::times;

/// A home, and workspaces beside it.
struct Clones(tempfile::TempDir);

impl Clones {
    /// With one workspace, `w1`, whose agent has a soul.
    fn new() -> Self {
        let clones = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(clones.agent("w1")).unwrap();
        assert!(clones.write("w1", "First.").wait_with_output().unwrap().status.success());
        clones
    }

    fn root(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn agent(&self, name: &str) -> PathBuf {
        self.root(name).join(".soul/agents/coder")
    }

    fn soul(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soul"));
        command.args(arguments).env("SOUL_HOME", self.root("home")).env("USER", "tester").current_dir(self.root(name));
        command
    }

    fn run(&self, name: &str, arguments: &[&str]) -> Output {
        self.soul(name, arguments).output().unwrap()
    }

    fn json(&self, name: &str, arguments: &[&str]) -> Value {
        let output = self.run(name, arguments);
        let parsed = serde_json::from_slice(&output.stdout);
        parsed.unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Starts to write a text over what is there.
    fn write(&self, name: &str, text: &str) -> Child {
        let file = self.root(&format!("{name}-{}.md", text.replace(' ', "-")));
        fs::write(&file, format!("{text}\n")).unwrap();
        let mut arguments = vec!["write", "coder", "--json", "--file", file.to_str().unwrap()];
        let inspected = self.json(name, &["inspect", "coder", "--json"]);
        let digest = inspected["digest"].as_str().unwrap_or_default();
        if !digest.is_empty() {
            arguments.extend(["--expected-digest", digest]);
        }
        self.soul(name, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn copy(&self, to: &str) {
        assert!(Command::new("cp").arg("-r").args([self.root("w1"), self.root(to)]).status().unwrap().success());
    }

    fn assert_verified(&self) {
        let audit = self.json("w1", &["audit", "verify", "--json"]);
        assert_eq!(audit["ok"], true, "{audit}");
    }

    /// Every text that is on record.
    fn recorded(&self) -> BTreeSet<String> {
        let (mut found, mut cursor) = (BTreeSet::new(), None::<String>);
        loop {
            let mut arguments = vec!["history", "coder", "--bodies", "--limit", "1000", "--json"];
            arguments.extend(cursor.iter().flat_map(|cursor| ["--cursor", cursor]));
            let page = self.json("w1", &arguments);
            let bodies = page["revisions"].as_array().unwrap().iter().filter_map(|revision| revision["body"].as_str());
            found.extend(bodies.map(|body| body.trim().to_owned()));
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return found;
            }
        }
    }
}

fn code(output: &Output) -> (i32, String) {
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let code = answer["error"]["code"].as_str().unwrap_or_default().to_owned();
    (output.status.code().unwrap_or(-1), code)
}

/// A generator that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn of_two_copies_that_write_at_once_the_second_is_told_and_the_record_holds() {
    let rounds = times(30);
    for _ in 0..rounds {
        let clones = Clones::new();
        clones.copy("w2");
        let writers = [clones.write("w1", "Text of one."), clones.write("w2", "Text of two.")];
        let codes = writers.map(|writer| code(&writer.wait_with_output().unwrap()));
        assert_eq!(codes, [(0, String::new()), (3, "workspace_copied".to_owned())]);
        // Taking turns is told as well.
        let later = clones.write("w2", "Later.").wait_with_output().unwrap();
        assert_eq!(code(&later), (3, "workspace_copied".to_owned()));
        assert_eq!(fs::read_to_string(clones.agent("w2").join("SOUL.md")).unwrap(), "First.\n");
        clones.assert_verified();
        // Forked, both go on at once.
        assert!(clones.run("w2", &["workspace", "fork"]).status.success());
        let writers = [clones.write("w1", "More of one."), clones.write("w2", "More of two.")];
        for writer in writers {
            assert_eq!(code(&writer.wait_with_output().unwrap()), (0, String::new()));
        }
        clones.assert_verified();
        let history = |name: &str| {
            let history = clones.json(name, &["history", "coder", "--bodies", "--json"]);
            let revisions = history["revisions"].as_array().unwrap().clone();
            let told =
                |revision: &Value| format!("{} {}", revision["action"], revision["body"]).replace(['"', '\n'], "");
            revisions.iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(history("w1"), ["put More of one.\\n", "put Text of one.\\n", "put First.\\n"]);
        let expected = ["put More of two.\\n", "adopt First.\\n", "put Text of one.\\n", "put First.\\n"];
        assert_eq!(history("w2"), expected);
    }
    println!("copies: {rounds} pairs that wrote at once");
}

#[test]
fn copies_that_share_a_record_lose_nothing_when_they_are_killed() {
    let clones = Clones::new();
    let names = ["w1", "w2", "w3", "w4"];
    for name in &names[1..] {
        clones.copy(name);
        assert!(clones.run(name, &["workspace", "share"]).status.success());
    }
    let turns = times(250);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = names
            .iter()
            .zip(1_u64..)
            .map(|(name, seed)| {
                let clones = &clones;
                scope.spawn(move || {
                    let (mut random, mut done) = (Random(seed), Vec::new());
                    for turn in 0..turns {
                        let text = format!("Turn {turn} of {name}.");
                        let mut writer = clones.write(name, &text);
                        if random.below(2) == 0 {
                            std::thread::sleep(Duration::from_millis(random.below(120)));
                            writer.kill().unwrap();
                        }
                        let output = writer.wait_with_output().unwrap();
                        match output.status.code() {
                            Some(0) => done.push(text),
                            // Killed.
                            None => {}
                            Some(_) => panic!("{:?}", code(&output)),
                        }
                    }
                    done
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    // Whatever was cut off is settled by the next who comes, from whichever directory.
    for name in names {
        assert!(clones.write(name, &format!("Last of {name}.")).wait_with_output().unwrap().status.success());
    }
    clones.assert_verified();
    let recorded = clones.recorded();
    let lost: Vec<_> = acknowledged.iter().filter(|text| !recorded.contains(*text)).collect();
    assert!(acknowledged.len() > turns && lost.is_empty(), "{} acknowledged, lost: {lost:?}", acknowledged.len());
    for name in names {
        let names: Vec<_> = fs::read_dir(clones.agent(name)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["SOUL.md"]);
    }
    println!("copies: {} writes acknowledged in 4 directories with kills", acknowledged.len());
}

/// Takes the directory away and back, or makes it anew, as `git checkout` and `rsync --delete` do.
fn replace_again_and_again(agent: &Path, aside: &Path, stop: &AtomicBool) -> usize {
    let mut replaced = 0;
    while !stop.load(Ordering::Relaxed) {
        if fs::rename(agent, aside).is_ok() {
            if replaced % 2 == 0 {
                fs::create_dir(agent).unwrap();
                let _ = fs::copy(aside.join("SOUL.md"), agent.join("SOUL.md"));
                let _ = fs::remove_dir_all(aside);
            } else {
                std::thread::sleep(Duration::from_millis(3));
                let _ = fs::remove_dir_all(agent);
                fs::rename(aside, agent).unwrap();
            }
            replaced += 1;
        }
        std::thread::sleep(Duration::from_millis(150));
    }
    replaced
}

#[test]
fn a_directory_that_is_replaced_during_writes_does_not_break_the_record() {
    let clones = Clones::new();
    let (agent, aside, stop) = (clones.agent("w1"), clones.root("aside"), AtomicBool::new(false));
    let turns = times(200);
    let (acknowledged, replaced) = std::thread::scope(|scope| {
        let replacing = scope.spawn(|| replace_again_and_again(&agent, &aside, &stop));
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let clones = &clones;
                scope.spawn(move || {
                    let texts = (0..turns).map(|turn| format!("Turn {turn} of {writer}."));
                    let is_done = |text: &String| {
                        let output = clones.write("w1", text).wait_with_output().unwrap();
                        output.status.success()
                    };
                    texts.filter(is_done).collect::<Vec<_>>()
                })
            })
            .collect();
        let written: Vec<String> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        stop.store(true, Ordering::Relaxed);
        (written, replacing.join().unwrap())
    });
    clones.run("w1", &["history", "coder"]);
    clones.assert_verified();
    let recorded = clones.recorded();
    assert!(acknowledged.iter().all(|text| recorded.contains(text)));
    let doctor = String::from_utf8(clones.run("w1", &["doctor"]).stdout).unwrap();
    assert!(!doctor.contains("inside the record"), "{doctor}");
    println!("directories: {replaced} replaced, {} writes acknowledged", acknowledged.len());
}
