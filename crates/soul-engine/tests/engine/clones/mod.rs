//! Several directories with one record: copies that are told, that share it, or that fork it; directories that move or
//! are replaced; ids that are lost; and what earlier versions left.

mod fork;
mod interrupted;
mod lost;
mod repair;

use std::fs;
use std::path::{Path, PathBuf};

use soul_engine::ops::{doctor, workspace};
use soul_engine::workspace::Roots;

use super::*;

const ONE: &str = "---\nrole: One\n---\nFirst body.\n";
const TWO: &str = "---\nrole: Two\n---\nSecond body.\n";
const THREE: &str = "---\nrole: Three\n---\nThird body.\n";

/// A home, and workspaces beside it.
struct Clones(tempfile::TempDir);

impl Clones {
    /// With one workspace, `a`, whose agent has a soul.
    fn new() -> Self {
        let clones = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(clones.agent("a")).unwrap();
        put(&clones.keeper("a"), ONE, None).unwrap();
        clones
    }

    fn root(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn agent(&self, name: &str) -> PathBuf {
        self.root(name).join(".soul/agents/coder")
    }

    fn id(&self, name: &str) -> PathBuf {
        self.root(name).join(".soul/id")
    }

    fn scope(&self, name: &str) -> String {
        fs::read_to_string(self.id(name)).unwrap().trim().to_owned()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.agent(name).join("SOUL.md")).unwrap()
    }

    fn keeper(&self, name: &str) -> Keeper {
        let roots = Roots { workspace: Some(self.root(name)), home: Some(self.root("home")), user: None };
        Keeper::open(roots).unwrap()
    }

    /// Copies a workspace as `cp -r` does.
    fn copy(&self, from: &str, to: &str) {
        copy(&self.root(from), &self.root(to));
    }

    /// Writes over whatever is there.
    fn write(&self, name: &str, text: &str) -> Result<write::Response, Error> {
        let keeper = self.keeper(name);
        put(&keeper, text, digest(&keeper).as_deref())
    }

    fn bodies(&self, name: &str) -> Vec<String> {
        revisions(&self.keeper(name), Limit::MAX).into_iter().filter_map(|entry| entry.body).collect()
    }

    fn verify(&self) -> audit::verify::Response {
        run(&self.keeper("a"), audit::verify::Request::default()).unwrap()
    }

    fn doctor(&self, name: &str) -> Vec<String> {
        let checks = run(&self.keeper(name), doctor::Request {}).unwrap().checks;
        let wrong = checks.into_iter().filter(|check| check.status != doctor::Health::Ok);
        wrong.map(|check| format!("{}: {}", check.name, check.message)).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn code<T>(result: Result<T, Error>) -> &'static str {
    result.map_or_else(|error| error.fault().code, |_| "done")
}

fn share(keeper: &Keeper) -> workspace::share::Response {
    run(keeper, workspace::share::Request {}).unwrap()
}

fn fork(keeper: &Keeper) -> workspace::fork::Response {
    run(keeper, workspace::fork::Request {}).unwrap()
}

#[test]
fn a_copy_is_told_at_its_first_change_and_may_always_read() {
    let clones = Clones::new();
    clones.copy("a", "b");
    let keeper = clones.keeper("b");
    let refused = clones.write("b", TWO).unwrap_err();
    assert_eq!(refused.fault().code, "workspace_copied");
    assert!(refused.fault().hint.unwrap().contains("soul workspace fork"));
    let parent = clones.0.path().file_name().unwrap().to_str().unwrap();
    assert!(refused.to_string().contains(&format!("`{parent}/a`")), "{refused}");
    assert!(!refused.to_string().contains(clones.0.path().to_str().unwrap()), "an absolute path: {refused}");
    assert_eq!(clones.text("b"), ONE);
    assert_eq!(clones.bodies("b"), [ONE]);
    assert!(clones.doctor("b").iter().any(|check| check.starts_with("workspace: it is a copy")));
    // Traits are on the record too; sessions are not a change of it.
    let adapted = serde_json::json!({ "agent": "coder", "trait": "openness", "delta": 0.1, "reason": "because" });
    assert_eq!(code(send(&keeper, &tester(), "persona.adapt", &adapted)), "workspace_copied");
    send(&keeper, &tester(), "session.start", &serde_json::json!({ "agent": "coder" })).unwrap();
    // The original goes on.
    clones.write("a", TWO).unwrap();
    let wrong: Vec<_> = clones.doctor("a").into_iter().filter(|check| !check.starts_with("sessions:")).collect();
    assert!(clones.verify().ok && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_new_agent_in_a_copy_leaves_nothing_behind() {
    let clones = Clones::new();
    clones.copy("a", "b");
    let create = write::Request { create: true, ..write::Request::new("new".parse().unwrap(), ONE.into()) };
    assert_eq!(code(run(&clones.keeper("b"), create)), "workspace_copied");
    assert!(!clones.root("b").join(".soul/agents/new").exists());
}

#[test]
fn copies_that_share_a_record_take_turns() {
    let clones = Clones::new();
    let names = ["a", "b", "c", "d"];
    for name in &names[1..] {
        clones.copy("a", name);
        let shared = share(&clones.keeper(name));
        assert_eq!(shared.scope, clones.scope("a"));
        assert_eq!(shared.places.last().map(String::as_str), Some("."));
    }
    let again = share(&clones.keeper("d"));
    assert_eq!(again.places.len(), 4);
    let rounds = 5;
    let written: Vec<String> = std::thread::scope(|scope| {
        let writers = names.map(|name| {
            let clones = &clones;
            scope.spawn(move || {
                let texts = (0..rounds).map(|n| format!("Body {n} of {name}.\n"));
                texts.inspect(|text| drop(clones.write(name, text).unwrap())).collect::<Vec<_>>()
            })
        });
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let bodies = clones.bodies("c");
    assert_eq!(written.len(), names.len() * rounds);
    assert!(written.iter().all(|text| bodies.contains(text)));
    let audit = clones.verify();
    assert!(audit.ok, "{audit:?}");
}

#[test]
fn a_workspace_that_moved_is_not_a_copy() {
    let clones = Clones::new();
    // Within a file system, a directory keeps its identity.
    fs::rename(clones.root("a"), clones.root("b")).unwrap();
    clones.write("b", TWO).unwrap();
    // To another one, it is copied and removed.
    clones.copy("b", "c");
    fs::remove_dir_all(clones.root("b")).unwrap();
    clones.write("c", THREE).unwrap();
    // A directory that was made anew where it was is the same one.
    clones.copy("c", "aside");
    fs::remove_dir_all(clones.root("c")).unwrap();
    fs::rename(clones.root("aside"), clones.root("c")).unwrap();
    clones.write("c", ONE).unwrap();
    assert_eq!(clones.bodies("c"), [ONE, THREE, TWO, ONE]);
    assert!(run(&clones.keeper("c"), audit::verify::Request::default()).unwrap().ok);
    // One that was copied, and whose original was given another id, goes on with the record.
    clones.copy("c", "d");
    fs::remove_file(clones.id("c")).unwrap();
    clones.write("d", TWO).unwrap();
}

#[test]
fn of_copies_without_a_place_the_first_that_writes_has_the_record() {
    let clones = Clones::new();
    clones.copy("a", "b");
    // As a store of an earlier version knows nothing of places.
    let database = rusqlite::Connection::open(clones.root("home/keeper.db")).unwrap();
    database.execute("DELETE FROM workspace_places", []).unwrap();
    drop(database);
    let codes = std::thread::scope(|scope| {
        let writers = ["a", "b"].map(|name| {
            let clones = &clones;
            scope.spawn(move || code(clones.write(name, &format!("Body of {name}.\n"))))
        });
        let mut codes = writers.map(|writer| writer.join().unwrap());
        codes.sort_unstable();
        codes
    });
    assert_eq!(codes, ["done", "workspace_copied"]);
    assert!(clones.verify().ok);
}
