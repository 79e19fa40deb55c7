//! Editors that save a file while the keeper changes it: no saved text is ever destroyed.

mod outcomes;
mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use soul_engine::fields::{ExpectedDigest, Limit};
use soul_engine::ops::{Error, library};
use soul_engine::{Failpoint, Keeper, Step};

use super::{Home, assert_chain, back, digest, listed_clean, put, remove, revisions, run};

const OLD: &str = "---\nrole: One\n---\nFirst body.\n";
const NEW: &str = "---\nrole: Two\n---\nSecond body.\n";
const EDIT: &str = "---\nrole: Mine\n---\nSaved by an editor.\n";

/// How an editor saves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Saves {
    /// It writes another file and renames it over the old one.
    ByRename,
    /// It truncates the file and writes it anew.
    InPlace,
}

impl Saves {
    const ALL: [Self; 2] = [Self::ByRename, Self::InPlace];

    fn save(self, path: &Path, text: &str) {
        match self {
            Self::ByRename => {
                let beside = path.parent().unwrap().parent().unwrap().join("editor.swp");
                fs::write(&beside, text).unwrap();
                fs::rename(beside, path).unwrap();
            }
            Self::InPlace => fs::write(path, text).unwrap(),
        }
    }
}

/// Does something once, at the first time that a change comes to a step.
fn once_at(step: Step, act: impl Fn() + Send + Sync + 'static) -> Failpoint {
    let done = AtomicBool::new(false);
    Arc::new(move |at| {
        if at == step && !done.swap(true, Ordering::SeqCst) {
            act();
        }
        Ok(())
    })
}

/// A keeper on a file system with or without exchange.
fn keeper(home: &Home, exchange: bool) -> Keeper {
    if exchange { home.keeper() } else { home.keeper().without_exchange() }
}

/// The conflict's digest is the one of what is there now.
fn assert_conflict(keeper: &Keeper, failed: Error, about: &str) {
    let report = failed.report(keeper);
    assert_eq!(report.code, "soul_conflict", "{about}: {report:?}");
    let current = digest(keeper);
    assert_eq!(report.current_digest, Some(current), "{about}");
}

/// The saved text is in the file and on record, the other one is neither, and nothing is left over.
fn assert_kept(home: &Home, about: &str) {
    let keeper = home.keeper();
    assert_eq!(home.text().as_deref(), Some(EDIT), "{about}: the file is another");
    let last = &revisions(&keeper, 1)[0];
    assert_eq!(last.body.as_deref(), Some(EDIT), "{about}: the text is on no record");
    assert_eq!(last.revision.sealed.action.as_str(), "adopt", "{about}");
    assert_eq!((&*last.revision.sealed.actor.kind, &*last.revision.sealed.actor.name), ("outside", ""), "{about}");
    assert_chain(&keeper);
    assert!(listed_clean(home), "{about}: {:?}", home.listed());
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    First,
    Write,
    Delete,
    Rollback,
}

impl Change {
    const ALL: [Self; 4] = [Self::First, Self::Write, Self::Delete, Self::Rollback];

    fn run(self, home: &Home, step: Step, saves: Saves, exchange: bool) -> Result<(), Error> {
        let plain = home.keeper();
        if self == Self::Rollback {
            put(&plain, NEW, None).unwrap();
        }
        if self != Self::First {
            put(&plain, OLD, digest(&plain).as_deref()).unwrap();
        }
        let path = home.soul();
        let keeper = keeper(home, exchange).with_failpoint(once_at(step, move || saves.save(&path, EDIT)));
        let expected = digest(&plain);
        match self {
            Self::First | Self::Write => put(&keeper, NEW, expected.as_deref()).map(drop),
            Self::Delete => remove(&keeper, expected.as_deref()).map(drop),
            Self::Rollback => back(&keeper, "@-", expected.as_deref()).map(drop),
        }
    }
}

#[test]
fn what_an_editor_saves_during_a_change_is_kept() {
    for change in Change::ALL {
        for step in [Step::Compared, Step::Recorded, Step::Staged] {
            for saves in Saves::ALL {
                for exchange in [true, false] {
                    let about = format!("{change:?} {step:?} {saves:?} exchange: {exchange}");
                    let home = Home::new();
                    let failed = change.run(&home, step, saves, exchange).expect_err(&about);
                    assert_conflict(&home.keeper(), failed, &about);
                    assert_kept(&home, &about);
                }
            }
        }
    }
}

#[test]
fn what_an_editor_removes_during_a_change_stays_removed() {
    for change in [Change::Write, Change::Delete, Change::Rollback] {
        for exchange in [true, false] {
            let home = Home::new();
            let path = home.soul();
            let plain = home.keeper();
            put(&plain, OLD, None).unwrap();
            let removed = once_at(Step::Staged, move || fs::remove_file(&path).unwrap());
            let keeper = keeper(&home, exchange).with_failpoint(removed);
            let expected = digest(&plain);
            let failed = match change {
                Change::Delete => remove(&keeper, expected.as_deref()).map(drop),
                _ => put(&keeper, NEW, expected.as_deref()).map(drop),
            };
            let report = failed.unwrap_err().report(&plain);
            assert_eq!((&*report.code, report.current_digest), ("soul_conflict", Some(None)));
            assert_eq!(home.text(), None);
            assert_chain(&plain);
            assert!(listed_clean(&home));
        }
    }
}

/// An editor that has the old file open writes to it after the exchange.
#[test]
fn what_is_written_to_the_old_file_after_the_exchange_is_kept() {
    use std::io::Write;
    for change in [Change::Write, Change::Delete] {
        for exchange in [true, false] {
            let home = Home::new();
            let plain = home.keeper();
            put(&plain, OLD, None).unwrap();
            let expected = digest(&plain);
            let open = fs::OpenOptions::new().write(true).open(home.soul()).unwrap();
            let writes = once_at(Step::Replaced, move || {
                open.set_len(0).unwrap();
                (&open).write_all(EDIT.as_bytes()).unwrap();
            });
            let keeper = keeper(&home, exchange).with_failpoint(writes);
            let failed = match change {
                Change::Delete => remove(&keeper, expected.as_deref()).map(drop),
                _ => put(&keeper, NEW, expected.as_deref()).map(drop),
            };
            let about = format!("{change:?} exchange: {exchange}");
            assert_conflict(&plain, failed.unwrap_err(), &about);
            assert_kept(&home, &about);
        }
    }
}

/// What is no text that can be read comes back too, and nothing is written through it.
#[cfg(unix)]
#[test]
fn a_link_that_comes_into_place_during_a_change_stays() {
    let home = Home::new();
    let plain = home.keeper();
    put(&plain, OLD, None).unwrap();
    let victim = home.0.path().join("victim.md");
    fs::write(&victim, EDIT).unwrap();
    let (path, to) = (home.soul(), victim.clone());
    let links = once_at(Step::Staged, move || {
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&to, &path).unwrap();
    });
    let failed = put(&home.keeper().with_failpoint(links), NEW, digest(&plain).as_deref()).unwrap_err();
    assert_eq!(failed.report(&plain).code, "soul_invalid");
    assert!(home.soul().is_symlink() && listed_clean(&home));
    assert_eq!(fs::read_to_string(victim).unwrap(), EDIT);
    assert_chain(&plain);
}

#[test]
fn what_an_editor_saves_in_a_private_folder_is_kept() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for change in [Change::Write, Change::Delete] {
            let home = Home::new();
            fs::set_permissions(home.agent(), fs::Permissions::from_mode(0o700)).unwrap();
            fs::set_permissions(home.0.path().join("agents"), fs::Permissions::from_mode(0o755)).unwrap();
            let failed = change.run(&home, Step::Staged, Saves::ByRename, true).unwrap_err();
            assert_conflict(&home.keeper(), failed, "private");
            assert_kept(&home, "private");
        }
    }
}

fn library_file(home: &Home) -> PathBuf {
    home.0.path().join("souls/ops.md")
}

fn library_bodies(keeper: &Keeper) -> Vec<Option<String>> {
    let request = library::history::Request {
        id: "ops".parse().unwrap(),
        limit: Limit::new(Limit::MAX),
        cursor: None,
        bodies: true,
        diffs: false,
    };
    run(keeper, request).unwrap().revisions.into_iter().map(|entry| entry.body).collect()
}

#[test]
fn what_an_editor_saves_during_a_change_of_the_library_is_kept() {
    let edit = "---\nname: Ops\n---\nSaved by an editor.\n";
    for removes in [false, true] {
        for saves in Saves::ALL {
            let home = Home::new();
            let plain = home.keeper();
            let id = "ops".parse().unwrap();
            let create = library::create::Request {
                id: None,
                name: "Ops".into(),
                description: String::new(),
                content: "one".into(),
                force: None,
            };
            run(&plain, create).unwrap();
            let path = library_file(&home);
            let keeper = home.keeper().with_failpoint(once_at(Step::Staged, move || saves.save(&path, edit)));
            let failed = if removes {
                let request = library::delete::Request { id, expected_digest: None, force: None };
                run(&keeper, request).map(drop)
            } else {
                let content = Some("two".into());
                let (name, description, force) = (None, None, None);
                let request = library::update::Request { id, name, description, content, expected_digest: None, force };
                run(&keeper, request).map(drop)
            };
            assert_eq!(failed.unwrap_err().report(&plain).code, "soul_conflict");
            assert_eq!(fs::read_to_string(library_file(&home)).unwrap(), edit);
            assert_eq!(library_bodies(&plain)[0].as_deref(), Some(edit));
            assert_chain(&plain);
        }
    }
}

#[test]
fn what_an_editor_saves_into_a_persona_file_is_kept() {
    let persona = |name: &str| {
        format!(
            r#"{{"id":"atlas","name":"{name}","description":"Maps.","version":"1.0.0","baseSystemPrompt":"You map."}}"#
        )
    };
    let home = Home::new();
    let path = home.agent().join("persona.json");
    fs::write(&path, persona("One")).unwrap();
    let plain = home.keeper();
    let expected = super::look(&plain).raw_digest.map(|digest| digest.to_string());
    let (to, edit) = (path.clone(), persona("Mine"));
    let saves = once_at(Step::Staged, move || Saves::ByRename.save(&to, &edit));
    let request = super::write::Request {
        expected_digest: expected.as_deref().map(ExpectedDigest::new),
        ..super::write::Request::new(super::coder(), persona("Two").into_bytes().into())
    };
    let failed = run(&home.keeper().with_failpoint(saves), request).unwrap_err();
    assert_eq!(failed.report(&plain).code, "soul_conflict");
    assert_eq!(fs::read_to_string(path).unwrap(), persona("Mine"));
    assert_eq!(revisions(&plain, 1)[0].body.as_deref(), Some(&*persona("Mine")));
}

#[test]
fn what_an_editor_saves_during_a_migration_is_kept() {
    use soul_engine::ops::migrate;
    use soul_engine::souls::Target;
    let home = Home::new();
    let folder = home.0.path().join("pack");
    fs::create_dir(&folder).unwrap();
    let manifest = |name: &str| {
        format!(
            r#"{{"specVersion":"0.4","name":"{name}","displayName":"A","version":"1.0.0","description":"d",
            "author":{{"name":"x"}},"license":"MIT","tags":["t"],"category":"work","files":{{"soul":"SOUL.md"}}}}"#
        )
    };
    fs::write(folder.join("SOUL.md"), "You help.\n").unwrap();
    fs::write(folder.join("soul.json"), manifest("one")).unwrap();
    let request =
        || migrate::Request { target: Target::Path(folder.clone()), to: "0.6".parse().unwrap(), dry_run: false };
    let path = folder.join("soul.json");
    let edit = manifest("mine");
    let saves = once_at(Step::Staged, move || Saves::InPlace.save(&path, &edit));
    let failed = run(&home.keeper().with_failpoint(saves), request()).unwrap_err();
    assert_eq!(failed.report(&home.keeper()).code, "manifest_conflict");
    assert_eq!(fs::read_to_string(folder.join("soul.json")).unwrap(), manifest("mine"));
    assert!(run(&home.keeper(), request()).unwrap().changed);
    assert!(fs::read_to_string(folder.join("soul.json")).unwrap().contains("mine"));
    let names = fs::read_dir(home.0.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.ends_with(".soul-staging")));
}
