//! Git sync against real bare repositories: what the peer's steps lead to, what hostile remotes and arguments cannot do,
//! what is left when a process is killed, and that many homes agree in the end.

mod agents;
mod convergence;
mod hostile;
mod killed;
mod memory;
mod odd;
mod replay;
mod service;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Runs git for a test, as someone else.
fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Remote", "-c", "user.email=remote@example.com", "-c", "commit.gpgSign=false"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A bare repository, and a working copy of someone who does not use soul.
struct Remote {
    root: PathBuf,
}

impl Remote {
    fn new(root: &Path) -> Self {
        fs::create_dir_all(root.join("work/souls")).unwrap();
        git(root, &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        git(&root.join("work"), &["init", "-q", "-b", "main"]);
        git(&root.join("work"), &["remote", "add", "origin", root.join("remote.git").to_str().unwrap()]);
        Self { root: root.to_path_buf() }
    }

    fn bare(&self) -> PathBuf {
        self.root.join("remote.git")
    }

    fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    fn url(&self) -> String {
        self.bare().to_str().unwrap().to_owned()
    }

    /// Someone else commits what they changed, on top of what is there.
    fn commit(&self, message: &str, change: impl FnOnce(&Path)) {
        if git(&self.bare(), &["branch", "--list", "main"]).contains("main") {
            git(&self.work(), &["fetch", "-q", "origin", "main"]);
            git(&self.work(), &["reset", "-q", "--hard", "FETCH_HEAD"]);
        }
        change(&self.work());
        git(&self.work(), &["add", "-A"]);
        git(&self.work(), &["commit", "-q", "--allow-empty", "-m", message]);
        git(&self.work(), &["push", "-q", "origin", "HEAD:main"]);
    }

    fn text(&self, path: &str) -> Option<String> {
        let output = Command::new("git").args(["show", &format!("main:{path}")]).current_dir(self.bare()).output();
        output.ok().filter(|output| output.status.success()).map(|output| String::from_utf8(output.stdout).unwrap())
    }

    fn files(&self) -> Vec<String> {
        git(&self.bare(), &["ls-tree", "-r", "--name-only", "main"]).lines().map(str::to_owned).collect()
    }

    fn log(&self) -> String {
        git(&self.bare(), &["log", "--format=%an|%s", "main"])
    }
}

/// A home whose library is synced.
struct Keeper {
    home: PathBuf,
}

impl Keeper {
    fn new(root: &Path, name: &str) -> Self {
        let home = root.join(name);
        fs::create_dir_all(home.join("souls")).unwrap();
        // Otherwise the first command would add the default soul.
        fs::write(home.join("souls/.examples-created"), "").unwrap();
        Self { home }
    }

    fn connected(root: &Path, name: &str, remote: &Remote) -> Self {
        let keeper = Self::new(root, name);
        keeper.ok(&["sync", "init", "--remote", &remote.url()]);
        keeper
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soul"));
        command
            .args(arguments)
            .env("SOUL_HOME", &self.home)
            .env("HOME", &self.home)
            .env("USER", "tester")
            .env_remove("SOUL_SERVER")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(&self.home);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that succeeds, and returns its JSON.
    fn ok(&self, arguments: &[&str]) -> Value {
        let (code, json) = self.json(arguments);
        assert_eq!(code, 0, "{arguments:?}: {json}");
        json
    }

    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.run(&[arguments, &["--json"]].concat());
        let json = serde_json::from_slice(&output.stdout);
        let json = json.unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code().unwrap_or(-1), json)
    }

    /// The code of the error that a command ends with.
    fn error(&self, arguments: &[&str]) -> String {
        let (code, json) = self.json(arguments);
        assert_ne!(code, 0, "{arguments:?}: {json}");
        json["error"]["code"].as_str().unwrap_or_else(|| panic!("{json}")).to_owned()
    }

    fn path(&self, id: &str) -> PathBuf {
        self.home.join("souls").join(format!("{id}.md"))
    }

    fn text(&self, id: &str) -> Option<String> {
        fs::read_to_string(self.path(id)).ok()
    }

    fn write(&self, id: &str, text: &str) {
        fs::write(self.path(id), text).unwrap();
    }

    fn status(&self) -> Value {
        self.ok(&["sync", "status"])
    }

    /// How one item stands.
    fn stands(&self, id: &str) -> Option<String> {
        let status = self.status();
        let item = status["items"].as_array().unwrap().iter().find(|item| item["itemId"] == format!("souls/{id}"))?;
        item["status"].as_str().map(str::to_owned)
    }

    /// Every text that was ever recorded of a soul.
    fn recorded(&self, id: &str) -> Vec<String> {
        let (code, history) = self.json(&["library", "history", id, "--bodies", "--limit", "1000"]);
        let revisions = history["revisions"].as_array().filter(|_| code == 0).cloned().unwrap_or_default();
        revisions.iter().filter_map(|revision| revision["body"].as_str().map(str::to_owned)).collect()
    }
}

fn soul(name: &str, body: &str) -> String {
    format!("---\nname: {name}\n---\n{body}\n")
}
