//! Others who add to a memory, or save it, while the keeper changes it.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use soul_engine::memory::MemoryOf;
use soul_engine::ops::memory::{add, forget};
use soul_engine::workspace::Roots;
use soul_engine::{Failpoint, Keeper, Step};

use super::super::run;

const DAY: &str = "memory/2026-11-15.md";

fn adding(directory: &Path, section: &str, text: &str) -> add::Request {
    add::Request {
        memory: MemoryOf::Directory(directory.to_owned()),
        text: text.to_owned(),
        section: section.to_owned().try_into().ok(),
        topic: None,
        now: Some("2026-11-15T12:00:00Z".parse().unwrap()),
        create: true,
        force: None,
    }
}

fn forgetting(memory: MemoryOf, section: Option<&str>) -> forget::Request {
    let file = section.map(|_| DAY.to_owned());
    forget::Request { memory, file, line: None, section: section.map(str::to_owned), undo: section.is_none() }
}

/// A home, and a directory with a memory.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.directory().join("memory")).unwrap();
        place
    }

    fn directory(&self) -> PathBuf {
        self.0.path().join("coder")
    }

    fn file(&self) -> PathBuf {
        self.directory().join(DAY)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn keeper(&self) -> Keeper {
        let home = self.0.path().join("home");
        fs::create_dir_all(&home).unwrap();
        Keeper::open(Roots { workspace: None, home: Some(home), user: None }).unwrap()
    }

    fn assert_clean(&self) {
        let names = |path: PathBuf| {
            let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<_>>()
        };
        let mut beside = names(self.0.path().to_owned());
        beside.sort();
        assert_eq!(beside, ["coder", "home"]);
        assert_eq!(
            (names(self.directory()), names(self.directory().join("memory"))),
            (vec!["memory".to_owned()], vec!["2026-11-15.md".to_owned()])
        );
    }
}

/// Adds a line as `echo >>` does.
fn echo(path: &Path, line: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Saves a file as an editor does that writes another one and renames it.
fn save(path: &Path, text: &str) {
    let beside = path.parent().unwrap().parent().unwrap().parent().unwrap().join("editor.swp");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, path).unwrap();
}

fn once(act: impl Fn() + Send + Sync + 'static) -> Failpoint {
    let done = AtomicBool::new(false);
    Arc::new(move |at| {
        if at == Step::Staged && !done.swap(true, Ordering::SeqCst) {
            act();
        }
        Ok(())
    })
}

#[test]
fn adding_keeps_what_others_add() {
    let place = Place::new();
    for exists in [false, true] {
        let file = place.file();
        let keeper = place.keeper().with_failpoint(once(move || echo(&file, &format!("by hand {exists}"))));
        let added = run(&keeper, adding(&place.directory(), &format!("Note {exists}"), "One\ntwo.")).unwrap();
        let text = place.text();
        assert!(text.contains(&format!("by hand {exists}\n")) && text.contains("One\ntwo.\n"), "{text}");
        let line = text.lines().nth(added.line - 1).unwrap();
        assert_eq!(line, format!("## Note {exists}"));
        assert_eq!(text.lines().nth(added.end_line - 1).unwrap(), "two.");
        assert!(!added.created);
    }
    place.assert_clean();
}

#[test]
fn what_is_added_reaches_a_file_that_was_replaced_meanwhile() {
    let place = Place::new();
    echo(&place.file(), "old");
    let file = place.file();
    let keeper = place.keeper().with_failpoint(once(move || save(&file, "saved by an editor\n")));
    run(&keeper, adding(&place.directory(), "Note", "Added.")).unwrap();
    assert_eq!(place.text(), "saved by an editor\n\n## Note\n\nAdded.\n");
    place.assert_clean();
}

#[test]
fn forgetting_keeps_what_others_save() {
    for by_rename in [false, true] {
        for undo in [false, true] {
            let place = Place::new();
            run(&place.keeper(), adding(&place.directory(), "One", "first")).unwrap();
            run(&place.keeper(), adding(&place.directory(), "Two", "second")).unwrap();
            let of = || MemoryOf::Directory(place.directory());
            if undo {
                run(&place.keeper(), forgetting(of(), Some("One"))).unwrap();
            }
            let file = place.file();
            let keeper = place.keeper().with_failpoint(once(move || match by_rename {
                true => save(&file, &format!("{}by hand\n", fs::read_to_string(&file).unwrap())),
                false => echo(&file, "by hand"),
            }));
            run(&keeper, forgetting(of(), if undo { None } else { Some("One") })).unwrap();
            let one = if undo { "## One\n\nfirst\n\n" } else { "" };
            assert_eq!(place.text(), format!("# 2026-11-15\n\n{one}## Two\n\nsecond\nby hand\n"));
            place.assert_clean();
        }
    }
}

/// A process that ended after the exchange has left a text that nobody has seen.
#[test]
fn a_text_that_is_left_of_a_memory_is_kept() {
    let place = Place::new();
    run(&place.keeper(), adding(&place.directory(), "One", "first")).unwrap();
    fs::write(place.0.path().join(".coder.memory.2026-11-15.md.out.soul-staging"), "left").unwrap();
    run(&place.keeper(), forgetting(MemoryOf::Directory(place.directory()), Some("One"))).unwrap();
    place.assert_clean();
    let kept = fs::read_dir(place.0.path().join("home/memory-history")).unwrap().flat_map(|memory| {
        fs::read_dir(memory.unwrap().path()).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
    });
    assert!(kept.collect::<Vec<_>>().contains(&"left".to_owned()));
}

#[test]
fn adds_and_lines_by_hand_are_all_there() {
    let long = std::env::var("SOUL_LONG").is_ok_and(|long| long == "1");
    let (place, count) = (Place::new(), if long { 2000 } else { 200 });
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..count).for_each(|n| {
                echo(&place.file(), &format!("hand {n}."));
                std::thread::sleep(Duration::from_micros(n * 131 % 1_500));
            })
        });
        scope.spawn(|| {
            (0..count).for_each(|n| {
                run(&place.keeper(), adding(&place.directory(), "Note", &format!("keeper {n}."))).unwrap();
            })
        });
    });
    let text = place.text();
    let lost = |who: &str| (0..count).filter(|n| !text.contains(&format!("{who} {n}.\n"))).count();
    assert_eq!((lost("hand"), lost("keeper")), (0, 0));
    place.assert_clean();
}

/// Adds, removals and lines by hand at random moments: whatever was added is in the file, or was removed.
#[test]
fn no_line_of_a_memory_is_lost() {
    let long = std::env::var("SOUL_LONG").is_ok_and(|long| long == "1");
    let until = Instant::now() + Duration::from_secs(if long { 600 } else { 5 });
    let (place, count, hand) = (Place::new(), AtomicU32::new(0), AtomicU32::new(0));
    run(&place.keeper(), adding(&place.directory(), "First", "keeper first.")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while Instant::now() < until {
                    let n = count.fetch_add(1, Ordering::SeqCst);
                    let (section, of) = (format!("Section {n}"), MemoryOf::Directory(place.directory()));
                    run(&place.keeper(), adding(&place.directory(), &section, &format!("keeper {n}."))).unwrap();
                    if n % 3 == 0 {
                        run(&place.keeper(), forgetting(of, Some(&section))).unwrap();
                    }
                    // Locks are not fair: without a pause the other one may wait for too long.
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
        }
        scope.spawn(|| {
            while Instant::now() < until {
                let n = hand.fetch_add(1, Ordering::SeqCst);
                echo(&place.file(), &format!("hand {n}."));
                std::thread::sleep(Duration::from_micros(u64::from(n) * 2_711 % 20_000));
            }
        });
    });
    let mut texts = vec![place.text()];
    for memory in fs::read_dir(place.0.path().join("home/memory-history")).unwrap() {
        let files = fs::read_dir(memory.unwrap().path()).unwrap();
        texts.extend(files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()));
    }
    let there: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let (count, hand) = (count.into_inner(), hand.into_inner());
    let all = (0..count).map(|n| format!("keeper {n}.")).chain((0..hand).map(|n| format!("hand {n}.")));
    let lost: Vec<_> = all.filter(|line| !there.contains(&**line)).collect();
    println!("memory: {count} added, {hand} by hand");
    assert!(count > 20 && hand > 20 && lost.is_empty(), "{count} {hand} {lost:?}");
    place.assert_clean();
}

#[test]
fn a_removal_is_undone_after_the_home_or_the_workspace_was_moved() {
    let root = tempfile::tempdir().unwrap();
    let (home, team) = (root.path().join("home"), root.path().join("team"));
    fs::create_dir_all(home.join("agents/ada")).unwrap();
    fs::create_dir_all(team.join(".soul/agents/bob")).unwrap();
    let keeper = |home: &Path, team: &Path| {
        Keeper::open(Roots { workspace: Some(team.to_owned()), home: Some(home.to_owned()), user: None }).unwrap()
    };
    let of = |name: &str| MemoryOf::Agent(name.parse().unwrap());
    let before = keeper(&home, &team);
    for name in ["ada", "bob"] {
        let request = add::Request { memory: of(name), ..adding(Path::new(""), "One", "first") };
        run(&before, request).unwrap();
        run(&before, forgetting(of(name), Some("One"))).unwrap();
    }
    let (new_home, new_team) = (root.path().join("new-home"), root.path().join("new-team"));
    fs::rename(&home, &new_home).unwrap();
    fs::rename(&team, &new_team).unwrap();
    let after = keeper(&new_home, &new_team);
    for (name, folder) in [("ada", new_home.join("agents/ada")), ("bob", new_team.join(".soul/agents/bob"))] {
        run(&after, forgetting(of(name), None)).unwrap();
        assert!(fs::read_to_string(folder.join(DAY)).unwrap().contains("## One\n\nfirst\n"), "{name}");
    }
}
