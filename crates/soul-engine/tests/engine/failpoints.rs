//! A change that stops between any two of its steps, by an error or by the end of the process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use soul_core::digest::RawDigest;
use soul_engine::{Failpoint, Keeper, Step};

use super::{Home, actions, assert_chain, back, digest, listed_clean, put, remove};

const OLD: &str = "---\nrole: One\n---\nFirst body.\n";
pub(super) const NEW: &str = "---\nrole: Two\n---\nSecond body.\n";

/// What is changed, starting from what.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    First,
    Over,
    OverAnOutsideEdit,
    Delete,
    Rollback,
}

const CHANGES: [Change; 5] = [Change::First, Change::Over, Change::OverAnOutsideEdit, Change::Delete, Change::Rollback];

impl Change {
    /// The texts before and after.
    fn texts(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            Self::First => (None, Some(NEW)),
            Self::Over | Self::OverAnOutsideEdit => (Some(OLD), Some(NEW)),
            Self::Delete => (Some(OLD), None),
            Self::Rollback => (Some(NEW), Some(OLD)),
        }
    }

    fn prepare(self, home: &Home) {
        let keeper = home.keeper();
        match self {
            Self::First => {}
            Self::Over | Self::Delete => drop(put(&keeper, OLD, None).unwrap()),
            Self::OverAnOutsideEdit => std::fs::write(home.soul(), OLD).unwrap(),
            Self::Rollback => {
                put(&keeper, OLD, None).unwrap();
                put(&keeper, NEW, digest(&keeper).as_deref()).unwrap();
            }
        }
    }

    fn run(self, keeper: &Keeper) -> Result<(), soul_engine::ops::Error> {
        let expected = digest(keeper);
        match self {
            Self::First | Self::Over | Self::OverAnOutsideEdit => put(keeper, NEW, expected.as_deref()).map(drop),
            Self::Delete => remove(keeper, expected.as_deref()).map(drop),
            Self::Rollback => back(keeper, &first_revision(keeper), expected.as_deref()).map(drop),
        }
    }
}

fn first_revision(keeper: &Keeper) -> String {
    use soul_engine::ops::history;
    let limit = soul_engine::fields::Limit::new(1000);
    let request = history::Request { agent: super::coder(), limit, cursor: None, bodies: false, diffs: false };
    let found = super::run(keeper, request).unwrap();
    found.revisions.last().unwrap().revision.sealed.id.as_str().to_owned()
}

/// Whatever happened: the file is whole, the record follows it, nothing is left over, and the same
/// change can be made afterwards.
fn assert_whole(home: &Home, change: Change, step: Step) {
    let (before, after) = change.texts();
    let found = home.text();
    let replaced = matches!(step, Step::Replaced | Step::Synced | Step::Settled);
    assert_eq!(found.as_deref(), if replaced { after } else { before }, "{change:?} {step:?}");
    assert_eq!(home.listed().0.len(), usize::from(found.is_some()), "{change:?} {step:?}: something is left");
    let keeper = home.keeper();
    let known = actions(&keeper).len();
    assert_chain(&keeper);
    if known > 0 {
        let last = super::last(&keeper);
        let adopted = change != Change::OverAnOutsideEdit || step != Step::Read && step != Step::Locked;
        let on_disk = found.as_deref().map(|text| RawDigest::of(text.as_bytes()));
        assert!(!adopted || last.sealed.raw_digest == on_disk, "{change:?} {step:?}: the record is another");
    }
    if !replaced {
        change.run(&keeper).unwrap();
        assert_eq!(home.text().as_deref(), after);
        assert_chain(&keeper);
    }
    assert!(listed_clean(home), "{change:?} {step:?}: something is left beside");
}

#[test]
fn every_step_can_fail() {
    let mut walked = 0;
    for change in CHANGES {
        for step in Step::ALL {
            let home = Home::new();
            change.prepare(&home);
            let failpoint: Failpoint =
                Arc::new(move |at| if at == step { Err(std::io::Error::other("injected")) } else { Ok(()) });
            let failed = change.run(&home.keeper().with_failpoint(failpoint)).unwrap_err();
            assert!(failed.to_string().contains("injected"), "{failed}");
            assert_whole(&home, change, step);
            walked += 1;
        }
    }
    println!("failpoints: {walked} errors");
}

/// What a child process is told to do, and where.
const ORDER: &str = "SOUL_TEST_CRASH";

#[test]
fn every_step_can_be_the_last() {
    let mut walked = 0;
    for (index, change) in CHANGES.into_iter().enumerate() {
        for (at, step) in Step::ALL.into_iter().enumerate() {
            let home = Home::new();
            change.prepare(&home);
            die(&home, index, at);
            assert_whole(&home, change, step);
            walked += 1;
        }
    }
    println!("failpoints: {walked} crashes");
}

/// Writes [`NEW`] in a process of its own that dies at a step.
pub(super) fn die_at(home: &Home, step: Step) {
    let over = CHANGES.iter().position(|change| *change == Change::Over).unwrap();
    die(home, over, Step::ALL.iter().position(|at| *at == step).unwrap());
}

fn die(home: &Home, change: usize, step: usize) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["failpoints::the_process_that_dies", "--exact", "--nocapture"])
        .env(ORDER, format!("{change} {step} {}", home.0.path().display()))
        .output()
        .unwrap();
    assert!(child.status.code().is_none(), "it was to die: {child:?}");
}

/// Not a test by itself: the test above runs it in a process of its own.
#[test]
fn the_process_that_dies() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let mut words = order.splitn(3, ' ');
    let mut number = || words.next().unwrap().parse::<usize>().unwrap();
    let (change, step) = (CHANGES[number()], Step::ALL[number()]);
    let roots = soul_engine::workspace::Roots { home: words.next().map(Into::into), ..Default::default() };
    let failpoint: Failpoint = Arc::new(move |at| if at == step { std::process::abort() } else { Ok(()) });
    let _ = change.run(&Keeper::open(roots).unwrap().with_failpoint(failpoint));
}

/// The directory in which a child process adds to a memory without end.
const MEMORY: &str = "SOUL_TEST_MEMORY";

fn remember(directory: PathBuf, text: &str) {
    use soul_engine::memory::MemoryOf;
    use soul_engine::ops::memory::add;
    let request = add::Request {
        memory: MemoryOf::Directory(directory),
        text: text.to_owned(),
        section: "Note".to_owned().try_into().ok(),
        topic: None,
        now: Some("2026-11-15T12:00:00Z".parse().unwrap()),
        create: true,
        force: None,
    };
    super::run(&Keeper::open(Default::default()).unwrap(), request).unwrap();
}

#[test]
fn a_memory_is_whole_and_clean_whenever_its_writer_is_killed() {
    let root = tempfile::tempdir().unwrap();
    let agent = root.path().join("coder");
    std::fs::create_dir(&agent).unwrap();
    let names = |path: &Path| {
        let names = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    for kill in 0..10 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["failpoints::the_process_that_remembers", "--exact", "--nocapture"])
            .env(MEMORY, &agent)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let log = agent.join("memory/2026-11-15.md");
        let (before, until) = (std::fs::read(&log).ok(), Instant::now() + Duration::from_secs(60));
        while std::fs::read(&log).ok() == before && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(kill * 2_711 % 9_000));
        writer.kill().unwrap();
        writer.wait().unwrap();
        assert!(names(&agent).iter().all(|name| name == "memory"), "{:?}", names(&agent));
        assert!(names(&agent.join("memory")).iter().all(|name| name == "2026-11-15.md"));
        remember(agent.clone(), "Another line.");
        assert_eq!(names(root.path()), ["coder"], "something is left beside");
        let text = std::fs::read_to_string(agent.join("memory/2026-11-15.md")).unwrap();
        assert!(text.ends_with("Another line.\n"), "{text}");
    }
}

/// Not a test by itself: the test above runs it in a process of its own.
#[test]
fn the_process_that_remembers() {
    let Ok(directory) = std::env::var(MEMORY) else { return };
    loop {
        remember(directory.clone().into(), "A line.");
    }
}
