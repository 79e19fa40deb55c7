//! A process that dies at every step of installing, using and restoring: old or new, never between.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use soul_engine::ops::{installed, restore, r#use, verify};
use soul_engine::{Failpoint, Keeper};

use super::{install_path, pilot, tree, write_package};
use crate::{Home, coder, run};

const ORDER: &str = "SOUL_TEST_PACKAGE_CRASH";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    Install,
    Update,
    Use,
    Restore,
}

const ACTIONS: [Action; 4] = [Action::Install, Action::Update, Action::Use, Action::Restore];

impl Action {
    fn prepare(self, home: &Home, source: &Path) {
        let keeper = home.keeper();
        std::fs::write(home.soul(), "You write code.\n").unwrap();
        std::fs::write(home.agent().join("STYLE.md"), "# Mine\n").unwrap();
        write_package(source, "1.0.0", &[("hooks/bootstrap.md", "# Bootstrap\n\n1. Look.\n")]);
        if self != Self::Install {
            install_path(&keeper, source).unwrap();
        }
        if self == Self::Update {
            write_package(source, "2.0.0", &[]);
        }
        if self == Self::Restore {
            run(&keeper, r#use::Request { package: pilot(), agent: Some(coder()), message: None }).unwrap();
        }
    }

    fn run(self, keeper: &Keeper, source: &Path) -> Result<(), soul_engine::ops::Error> {
        match self {
            Self::Install | Self::Update => install_path(keeper, source).map(drop),
            Self::Use => {
                run(keeper, r#use::Request { package: pilot(), agent: Some(coder()), message: None }).map(drop)
            }
            Self::Restore => run(keeper, restore::Request { agent: coder(), force: false }).map(drop),
        }
    }
}

/// What is installed, and what the agent has. Times and what is beside do not count.
type State = (
    Vec<String>,
    std::collections::BTreeMap<PathBuf, Option<Vec<u8>>>,
    std::collections::BTreeMap<PathBuf, Option<Vec<u8>>>,
);

fn state(home: &Home) -> State {
    let keeper = home.keeper();
    // Any command ends what was cut off.
    let rows = run(&keeper, installed::Request {}).unwrap().packages;
    let rows =
        rows.iter().map(|entry| format!("{} {} {}", entry.row.package, entry.row.version, entry.row.digest)).collect();
    assert!(run(&keeper, verify::Request { package: None }).unwrap().passed);
    (rows, tree(&home.agent()), tree(&home.0.path().join("packages/lighthouse")))
}

/// Runs an action in a process that dies at a step. False if the action has fewer steps.
pub(crate) fn dies(action: Action, step: usize, home: &Path, source: &Path) -> bool {
    let index = ACTIONS.iter().position(|known| *known == action).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["packages::crashes::the_process_that_dies", "--exact", "--nocapture"])
        .env(ORDER, format!("{index}\n{step}\n{}\n{}", home.display(), source.display()))
        .output()
        .unwrap();
    child.status.code().is_none()
}

#[test]
fn every_step_can_be_the_last() {
    let mut walked = 0;
    for action in ACTIONS {
        let (home, source) = (Home::new(), tempfile::tempdir().unwrap());
        action.prepare(&home, source.path());
        let old = state(&home);
        let steps = Arc::new(AtomicUsize::new(0));
        let counted = steps.clone();
        let failpoint: Failpoint = Arc::new(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        action.run(&home.keeper().with_failpoint(failpoint), source.path()).unwrap();
        let new = state(&home);
        assert_ne!(old, new);
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps >= 4, "{action:?} has {steps} steps");
        for step in 0..steps {
            let (home, source) = (Home::new(), tempfile::tempdir().unwrap());
            action.prepare(&home, source.path());
            assert!(dies(action, step, home.0.path(), source.path()), "{action:?} has no step {step}");
            let found = state(&home);
            let names =
                |state: &State| [state.1.keys().cloned().collect::<Vec<_>>(), state.2.keys().cloned().collect()];
            let is_whole = found == old || found == new;
            assert!(is_whole, "{action:?} is between at step {step}: {:?} {:#?}", found.0, names(&found));
            if found == old {
                action.run(&home.keeper(), source.path()).unwrap();
                assert_eq!(state(&home), new, "{action:?} after step {step}");
            }
            walked += 1;
        }
    }
    println!("packages: {walked} crashes");
}

/// Not a test by itself: the test above runs it in a process of its own.
#[test]
fn the_process_that_dies() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let mut lines = order.lines();
    let mut next = || lines.next().unwrap();
    let (action, last) = (ACTIONS[next().parse::<usize>().unwrap()], next().parse::<usize>().unwrap());
    let (home, source) = (PathBuf::from(next()), PathBuf::from(next()));
    let passed = AtomicUsize::new(0);
    let failpoint: Failpoint = Arc::new(move |_| {
        if passed.fetch_add(1, Ordering::Relaxed) == last {
            std::process::abort();
        }
        Ok(())
    });
    let roots = soul_engine::workspace::Roots { home: Some(home), ..Default::default() };
    let _ = action.run(&Keeper::open(roots).unwrap().with_failpoint(failpoint), &source);
}
