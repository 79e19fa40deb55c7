//! The keeper on real files and a real database.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod authoring;
mod calibration;
mod clock;
mod compatibility;
mod failpoints;
mod library;
mod memory;
mod persona;
mod schema;
mod sessions;
mod story;
mod tokens;

use std::fs;
use std::path::PathBuf;

use soul_engine::Keeper;
use soul_engine::ops::payload::{Asker, Authorship, Changed};
use soul_engine::ops::{Error, audit, delete, history, inspect, rollback, write};
use soul_engine::store::Party;
use soul_engine::workspace::{AgentName, Roots, Target};

/// A home with one agent, `coder`.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(home.agent()).unwrap();
        home
    }

    fn agent(&self) -> PathBuf {
        self.0.path().join("agents/coder")
    }

    fn soul(&self) -> PathBuf {
        self.agent().join("SOUL.md")
    }

    fn keeper(&self) -> Keeper {
        Keeper::open(Roots { workspace: None, home: Some(self.0.path().to_path_buf()), user: None }).unwrap()
    }

    fn config(&self, text: &str) {
        fs::write(self.0.path().join("config.toml"), text).unwrap();
    }

    fn text(&self) -> Option<String> {
        fs::read_to_string(self.soul()).ok()
    }

    /// What is in the agent's directory, and beside it.
    fn listed(&self) -> (Vec<String>, Vec<String>) {
        let list = |path: PathBuf| {
            let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        (list(self.agent()), list(self.0.path().join("agents")))
    }
}

fn coder() -> AgentName {
    "coder".parse().unwrap()
}

fn asker() -> Asker {
    Asker { actor: Party::new("user", "tester"), origin: Party::new("test", "engine") }
}

fn authorship(expected: Option<&str>) -> Authorship {
    Authorship { expected_digest: expected.map(str::to_owned), idempotency_key: None, force: None, asker: asker() }
}

fn put(keeper: &Keeper, text: &str, expected: Option<&str>) -> Result<Changed, Error> {
    let body = text.as_bytes().to_vec();
    write::run(
        keeper,
        write::Request { agent: coder(), body, dialect: None, create: false, authorship: authorship(expected) },
    )
}

fn remove(keeper: &Keeper, expected: Option<&str>) -> Result<Changed, Error> {
    delete::run(keeper, delete::Request { agent: coder(), authorship: authorship(expected) })
}

fn back(keeper: &Keeper, revision: &str, expected: Option<&str>) -> Result<Changed, Error> {
    let revision = revision.to_owned().into();
    let request = rollback::Request { agent: coder(), revision, dry_run: false, authorship: authorship(expected) };
    match rollback::run(keeper, request)? {
        rollback::Response::Done(changed) => Ok(*changed),
        rollback::Response::Plan(_) => panic!("not a dry run"),
    }
}

fn look(keeper: &Keeper) -> inspect::Response {
    let target = Target::Agent(coder());
    inspect::run(keeper, inspect::Request { target, dialect: None, profile: Default::default() }).unwrap()
}

/// The canonical digest of what is in the file.
fn digest(keeper: &Keeper) -> Option<String> {
    look(keeper).digest.map(|digest| digest.to_string())
}

fn actions(keeper: &Keeper) -> Vec<&'static str> {
    let request = history::Request { agent: coder(), limit: 1000, cursor: None, bodies: false, diffs: false };
    let found = history::run(keeper, request).unwrap();
    found.revisions.iter().map(|entry| entry.revision.sealed.action.as_str()).collect()
}

/// The record holds.
fn assert_chain(keeper: &Keeper) {
    let audit = audit::run(keeper, audit::Request::default(), &|| ()).unwrap();
    assert!(audit.ok, "{audit:?}");
}

/// The newest revision.
fn last(keeper: &Keeper) -> soul_engine::store::Revision {
    let request = history::Request { agent: coder(), limit: 1, cursor: None, bodies: true, diffs: false };
    history::run(keeper, request).unwrap().revisions.remove(0).revision
}

/// Whether nothing of ours is left in the agent's directory or beside it.
fn listed_clean(home: &Home) -> bool {
    let (inside, beside) = home.listed();
    inside.iter().all(|name| name == "SOUL.md") && beside == ["coder"]
}
