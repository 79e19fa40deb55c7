//! Many processes at once, and processes that die: what a store is for.
//!
//! A tenth of each loop runs unless `SOUL_LONG=1`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How often a loop runs: all of it, or a tenth.
pub(crate) fn times(long: usize) -> usize {
    if std::env::var("SOUL_LONG").is_ok_and(|long| long == "1") { long } else { long / 10 }
}

/// A home with one agent.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(home.agent()).unwrap();
        home
    }

    fn agent(&self) -> PathBuf {
        self.0.path().join("agents/reviewer")
    }

    fn soul(&self) -> PathBuf {
        self.agent().join("SOUL.md")
    }

    /// A text to be written, beside the home's own files.
    fn text(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soul"));
        command.args(arguments).env("SOUL_HOME", self.0.path()).env("USER", "tester").current_dir(self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        let parsed = serde_json::from_slice(&output.stdout);
        parsed.unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    fn digest(&self) -> String {
        self.json(&["inspect", "reviewer", "--json"])["digest"].as_str().unwrap().to_owned()
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The record holds, and its end is what is in the file.
    fn assert_whole(&self) {
        let history = self.json(&["history", "reviewer", "--limit", "1", "--json"]);
        let audit = self.json(&["audit", "verify", "--json"]);
        assert_eq!(audit["ok"], true, "{audit}");
        let on_disk = self.json(&["inspect", "reviewer", "--json"])["raw_digest"].clone();
        assert_eq!(history["revisions"][0]["raw_digest"], on_disk);
    }
}

fn soul(text: &str) -> String {
    format!("---\nrole: Reviewer\n---\n{text}\n")
}

fn listed(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn of_many_writers_with_one_digest_one_wins() {
    let home = Home::new();
    let first = home.text("first.md", &soul("First."));
    assert!(home.run(&["write", "reviewer", "--file", first.to_str().unwrap()]).status.success());
    let rounds = times(100);
    for round in 0..rounds {
        let digest = home.digest();
        let texts: Vec<_> =
            (0..32).map(|n| home.text(&format!("{n}.md"), &soul(&format!("{round} of {n}.")))).collect();
        let writers: Vec<_> = texts
            .iter()
            .map(|text| {
                home.start(&[
                    "write",
                    "reviewer",
                    "--file",
                    text.to_str().unwrap(),
                    "--expected-digest",
                    &digest,
                    "--json",
                ])
            })
            .collect();
        let outputs: Vec<_> = writers.into_iter().map(|writer| writer.wait_with_output().unwrap()).collect();
        let codes: Vec<_> = outputs.iter().map(|output| output.status.code().unwrap()).collect();
        let winners: Vec<_> = (0..32).filter(|n| codes[*n] == 0).collect();
        assert_eq!(winners.len(), 1, "{codes:?}");
        assert_eq!(codes.iter().filter(|code| **code == 3).count(), 31, "{codes:?}");
        assert_eq!(fs::read(home.soul()).unwrap(), fs::read(&texts[winners[0]]).unwrap());
        let conflict: Value = serde_json::from_slice(&outputs[(winners[0] + 1) % 32].stdout).unwrap();
        assert_eq!(conflict["error"]["code"], "soul_conflict");
        assert_eq!(conflict["error"]["current_digest"].as_str().unwrap(), home.digest());
    }
    let history = home.json(&["history", "reviewer", "--limit", "1000", "--json"]);
    assert_eq!(history["revisions"].as_array().unwrap().len(), rounds + 1);
    home.assert_whole();
    println!("races: {rounds} rounds of 32 writers, one winner each");
}

#[test]
fn a_writer_that_is_killed_leaves_nothing_half_done() {
    let home = Home::new();
    let texts: Vec<_> = (0..8).map(|n| home.text(&format!("{n}.md"), &soul(&"Steady. ".repeat(1 + n * 400)))).collect();
    let known: Vec<_> = texts.iter().map(|text| fs::read(text).unwrap()).collect();
    let write = |n: usize, digest: &str| {
        let text = texts[n % 8].to_str().unwrap();
        home.start(&["write", "reviewer", "--file", text, "--expected-digest", digest])
    };
    assert!(home.run(&["write", "reviewer", "--file", texts[0].to_str().unwrap()]).status.success());
    let begun = Instant::now();
    assert!(write(1, &home.digest()).wait().unwrap().success());
    let whole = begun.elapsed();
    let kills = times(500);
    let mut random = 7_u64;
    let mut acknowledged = 0;
    for n in 0..kills {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // A text that is there already is no change.
        let current = fs::read(home.soul()).unwrap();
        let other = (n..).find(|n| known[n % 8] != current).unwrap();
        let mut writer = write(other, &home.digest());
        std::thread::sleep(whole.mul_f64((random >> 33) as f64 / f64::from(1_u32 << 31) * 1.2));
        writer.kill().unwrap();
        acknowledged += usize::from(writer.wait().unwrap().success());
        assert!(known.contains(&fs::read(home.soul()).unwrap()), "a torn file");
        assert_eq!(listed(&home.agent()), ["SOUL.md"]);
    }
    home.assert_whole();
    assert!(
        home.run(&["write", "reviewer", "--file", texts[3].to_str().unwrap(), "--expected-digest", &home.digest()])
            .status
            .success()
    );
    home.assert_whole();
    assert_eq!(listed(&home.0.path().join("agents")), ["reviewer"]);
    let kept = home.json(&["history", "reviewer", "--limit", "1", "--json"])["revisions"][0]["seq"].as_u64().unwrap();
    let kept = usize::try_from(kept).unwrap();
    assert!(kept >= acknowledged + 3, "{kept} revisions for {acknowledged} writes that were acknowledged");
    println!("kills: {kills} writers killed, {acknowledged} of them too late, {kept} revisions");
}

#[test]
fn every_task_is_claimed_once() {
    let home = Home::new();
    let text = home.text("first.md", &soul("First."));
    assert!(home.run(&["write", "reviewer", "--file", text.to_str().unwrap()]).status.success());
    let tasks = times(200).max(40);
    for n in 0..tasks {
        assert!(home.run(&["task", "add", "--payload", &n.to_string()]).status.success());
    }
    let sessions: Vec<String> = (0..8)
        .map(|_| home.json(&["session", "start", "reviewer", "--json"])["session"]["id"].as_str().unwrap().to_owned())
        .collect();
    let claimed: Vec<i64> = std::thread::scope(|scope| {
        let claimers: Vec<_> = sessions
            .iter()
            .map(|session| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let answer = home.json(&["task", "claim", "--session", session, "--lease", "10m", "--json"]);
                        let run = &answer["run"];
                        if run.is_null() {
                            return mine;
                        }
                        assert_eq!(run["metadata_json"]["soul"]["agent_name"], "reviewer");
                        mine.push(run["payload"].as_i64().unwrap());
                    }
                })
            })
            .collect();
        claimers.into_iter().flat_map(|claimer| claimer.join().unwrap()).collect()
    });
    let mut sorted = claimed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..i64::try_from(tasks).unwrap()).collect::<Vec<_>>());
    println!("claims: {tasks} tasks, 8 claimers, each once");
}

#[test]
fn many_who_adapt_at_once_never_exceed_a_budget() {
    let home = Home::new();
    let text = "---\nname: R\nhexaco: {openness: 0.5}\n---\nBody.\n";
    fs::write(home.soul(), text).unwrap();
    let children: Vec<_> = (0..times(100))
        .map(|n| {
            let delta = if n % 2 == 0 { "0.04" } else { "-0.04" };
            let base = ["persona", "adapt", "reviewer", "--trait", "openness", "--session", "s", "--reason", "race"];
            home.start(&[&base[..], &["--delta", delta, "--json"]].concat())
        })
        .collect();
    let mut granted = 0.0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["delta"].is_number(), "{answer}");
        granted += answer["delta"].as_f64().unwrap().abs();
        assert!(answer["session_total"].as_f64().unwrap() <= 0.15 + 1e-12, "{answer}");
    }
    assert!((granted - 0.15).abs() < 1e-9, "{granted} was granted");
    let history = home.json(&["persona", "history", "reviewer", "--json"]);
    assert_eq!(history["mutations"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read_to_string(home.soul()).unwrap(), text);
}

/// Whenever it is killed, the old store or the backup is in place, complete, and never the log of one over the other.
#[test]
fn a_restore_that_is_killed_leaves_one_store_or_the_other() {
    let home = Home::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = |name: &str| elsewhere.path().join(name).to_str().unwrap().to_owned();
    let heads = || {
        let audit = home.json(&["audit", "verify", "--json"]);
        assert_eq!(audit["ok"], true, "{audit}");
        audit["heads"].clone()
    };
    let mut known = Vec::new();
    for n in 0..3 {
        let text = home.text("text.md", &soul(&format!("Text {n}.")));
        let digest = if n == 0 { String::new() } else { home.digest() };
        let write = ["write", "reviewer", "--file", text.to_str().unwrap(), "--expected-digest", &digest];
        assert!(home.run(&write).status.success());
        assert!(home.run(&["backup", &file(&format!("{n}.db"))]).status.success());
        known.push(heads());
    }
    // So long does a whole one take here: it is killed in every part of that.
    let begun = Instant::now();
    assert!(home.run(&["restore-backup", &file("0.db")]).status.success());
    let whole = begun.elapsed();
    let (rounds, mut killed) = (times(200), 0);
    for round in 0..rounds {
        let backup = file(&format!("{}.db", round % 3));
        let mut process = home.start(&["restore-backup", &backup]);
        std::thread::sleep(whole.mul_f64(1.2 * round as f64 / rounds as f64));
        let _ = process.kill();
        killed += usize::from(!process.wait().unwrap().success());
        let now = heads();
        assert!(known.contains(&now), "{now}");
        // A process that is killed while it writes leaves a log that the next restore must not lay over a backup.
        let mut writer = home.start(&["session", "start", "reviewer"]);
        std::thread::sleep(Duration::from_micros((round as u64 * 1_499) % 20_000));
        let _ = writer.kill();
        writer.wait().unwrap();
        for name in listed(home.0.path()).iter().filter(|name| name.contains("replaced")) {
            fs::remove_file(home.0.path().join(name)).unwrap();
        }
    }
    assert!(home.run(&["restore-backup", &file("2.db")]).status.success());
    assert_eq!(heads(), known[2]);
    println!("restore: killed {killed} times, one store or the other each time");
}

/// Whenever it is killed, it continues, and what arrives is what was there.
#[test]
fn a_migration_that_is_killed_continues() {
    let home = Home::new();
    let text = home.text("text.md", &soul("Text."));
    assert!(home.run(&["write", "reviewer", "--file", text.to_str().unwrap()]).status.success());
    for _ in 0..20 {
        assert!(home.run(&["session", "start", "reviewer"]).status.success());
    }
    let url = |name: &str| format!("sqlite://{}", home.0.path().join(name).display());
    let source = url("keeper.db");
    let begun = Instant::now();
    let whole = home.json(&["store", "migrate", "--from", &source, "--to", &url("whole.db"), "--json"]);
    let lasted = begun.elapsed();
    assert!(whole["rows"].as_u64().unwrap() > 40, "{whole}");
    let (rounds, mut killed, mut resumed) = (times(60), 0, 0);
    for round in 0..rounds {
        let target = url(&format!("target-{round}.db"));
        let migrate = ["store", "migrate", "--from", &source, "--to", &target, "--json"];
        let mut process = home.start(&migrate);
        std::thread::sleep(lasted.mul_f64(1.2 * round as f64 / rounds as f64));
        let _ = process.kill();
        killed += usize::from(!process.wait().unwrap().success());
        let again = home.json(&migrate);
        match again["error"]["code"].as_str() {
            // It was done before it was killed.
            Some(code) => assert_eq!(code, "already_migrated"),
            None => {
                assert_eq!(again["tables"], whole["tables"]);
                resumed += usize::from(again["resumed"] == true);
            }
        }
        let verify = home.command(&["audit", "verify", "--json"]).env("SOUL_STORE_URL", &target).output().unwrap();
        assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stdout));
    }
    println!("migration: killed {killed} times, {resumed} of them after the first rows");
}

#[test]
fn a_store_that_cannot_be_used_says_so() {
    let home = Home::new();
    let text = home.text("first.md", &soul("First."));
    let first = ["write", "reviewer", "--file", text.to_str().unwrap(), "--json"];
    assert!(home.run(&first).status.success());
    let digest = home.digest();
    let before = fs::read(home.soul()).unwrap();
    let second = home.text("second.md", &soul("Second."));
    let write = ["write", "reviewer", "--file", second.to_str().unwrap(), "--expected-digest", &digest, "--json"];
    let failed = |code: &str| {
        let begun = Instant::now();
        let output = home.run(&write);
        assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stdout));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer["error"]["hint"].is_string());
        assert_eq!(fs::read(home.soul()).unwrap(), before);
        begun.elapsed()
    };

    // Someone else has the database to himself.
    let database = home.0.path().join("keeper.db");
    let other = rusqlite::Connection::open(&database).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert!(failed("store_busy") > Duration::from_secs(9));
    drop(other);

    let whole = fs::read(&database).unwrap();
    for damaged in [b"no database at all, whoever wrote it".repeat(200), whole[..whole.len() / 3].to_vec()] {
        fs::write(&database, &damaged).unwrap();
        failed("store_damaged");
        assert_eq!(fs::read(&database).unwrap(), damaged, "a damaged store is left as it is");
    }
    fs::write(&database, &whole).unwrap();
    assert!(home.run(&write).status.success());
    home.assert_whole();
}

/// A disk of its own for a home: full, and then not; an agent that cannot be written, and one that is
/// a mount of its own. Needs a user namespace, which not every machine grants.
#[cfg(target_os = "linux")]
#[test]
fn a_full_or_read_only_disk_loses_nothing() {
    const STORY: &str = r#"
        set -u
        mount -t tmpfs -o size=800k tmpfs "$HOME" && cd "$HOME" && mkdir -p agents/reviewer agents/locked agents/mounted
        printf 'One.\n' > one.md; printf 'Two.\n' > two.md
        soul write reviewer --file one.md > log; echo "first $?"
        digest=$(soul inspect reviewer --json | sed -n 's/^  "digest": "\(sha256.*\)".*/\1/p')
        dd if=/dev/zero of=fill bs=1k count=2000 2> log2
        soul write reviewer --file two.md --expected-digest "$digest"; echo "full $?"
        cat agents/reviewer/SOUL.md; ls -A agents/reviewer
        rm fill
        soul write reviewer --file two.md --expected-digest "$digest" > log; echo "again $?"
        cat agents/reviewer/SOUL.md
        mount --bind agents/locked agents/locked && mount -o remount,ro,bind agents/locked
        soul write locked --file one.md; echo "locked $?"
        ls -A agents/locked; soul history locked
        mount --bind agents/mounted agents/mounted
        soul write mounted --file one.md > log; echo "mounted $?"
        ls -A agents/mounted
        soul audit verify --json | grep '"ok"'
        ls -A agents
        mount -o remount,ro "$HOME"
        soul inspect reviewer > /dev/null; echo "inspect $?"
        soul history reviewer > /dev/null; echo "history $?"
        soul write reviewer --file one.md --expected-digest "$digest"; echo "write $?"
        soul doctor | grep -c '^  problem'
    "#;
    if !Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success()) {
        println!("full disk: not shown, there is no user namespace here");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let binaries = Path::new(env!("CARGO_BIN_EXE_soul")).parent().unwrap().display();
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", STORY])
        .env_clear()
        .env("HOME", home.path())
        .env("SOUL_HOME", home.path())
        .env("PATH", format!("{binaries}:/usr/sbin:/usr/bin:/sbin:/bin"))
        .output()
        .unwrap();
    let expected = "first 0\nfull 5\nOne.\nSOUL.md\nagain 0\nTwo.\nlocked 5\nlocked  no recorded changes\n\
                    mounted 0\nSOUL.md\n  \"ok\": true,\nlocked\nmounted\nreviewer\n\
                    inspect 0\nhistory 0\nwrite 5\n1\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("free disk space") && told.contains("could not write"), "{told}");
}
