//! Git sync of a library: the status of 10 000 souls when nothing has changed, and a pull of 100 changes beside `git pull`
//! of the same changes in a working copy.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use soul_engine::ops::{Operation, sync};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

const SOULS: usize = 10_000;
const CHANGES: usize = 100;

fn git(directory: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Remote", "-c", "user.email=remote@example.com"])
        .args(arguments)
        .current_dir(directory)
        .status();
    assert!(done.unwrap().success(), "{arguments:?}");
}

fn soul(number: usize, round: usize) -> String {
    format!(
        "---\nname: Soul {number}\n---\n\n# Identity\n\nYou are number {number}, round {round}.\n{}",
        "Be kind.\n".repeat(200)
    )
}

struct World {
    root: tempfile::TempDir,
    keeper: Keeper,
    round: usize,
}

impl World {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| -> PathBuf { root.path().join(name) };
        fs::create_dir_all(at("home/souls")).unwrap();
        git(root.path(), &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        git(root.path(), &["clone", "-q", "remote.git", "work"]);
        fs::create_dir_all(at("work/souls")).unwrap();
        for number in 0..SOULS {
            let text = soul(number, 0);
            fs::write(at(&format!("work/souls/s{number}.md")), &text).unwrap();
            fs::write(at(&format!("home/souls/s{number}.md")), &text).unwrap();
        }
        git(&at("work"), &["add", "-A"]);
        git(&at("work"), &["commit", "-q", "-m", "all"]);
        git(&at("work"), &["push", "-q", "origin", "HEAD:main"]);
        git(root.path(), &["clone", "-q", "remote.git", "copy"]);
        let roots = Roots { workspace: None, home: Some(at("home")), user: None };
        let keeper = Keeper::open(roots).unwrap();
        let remote = at("remote.git").to_str().unwrap().parse().unwrap();
        let world = Self { root, keeper, round: 0 };
        world.ask(sync::init::Request { remote, branch: None, agents: false });
        world.ask(sync::pull::Request {});
        world
    }

    fn ask<O: Operation>(&self, request: O) -> O::Response {
        let caller = Caller::local(Party::new("user", "bench"), "bench");
        request.call(&Context::new(&self.keeper, &caller)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Someone else changes some souls.
    fn change(&mut self) {
        self.round += 1;
        let work = self.root.path().join("work");
        for number in 0..CHANGES {
            let number = (number * 97 + self.round * 13) % SOULS;
            fs::write(work.join(format!("souls/s{number}.md")), soul(number, self.round)).unwrap();
        }
        git(&work, &["commit", "-q", "-a", "-m", "change"]);
        git(&work, &["push", "-q", "origin", "HEAD:main"]);
    }
}

fn benches(criterion: &mut Criterion) {
    let mut world = World::new();
    std::thread::sleep(Duration::from_millis(200));
    world.ask(sync::status::Request {});
    criterion.bench_function("sync status of 10 000 souls", |bencher| {
        bencher.iter(|| black_box(world.ask(sync::status::Request {}).counts.synced));
    });
    let mut group = criterion.benchmark_group("100 changes");
    group.sample_size(10);
    group.bench_function("soul sync pull", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for _ in 0..rounds {
                world.change();
                let begun = Instant::now();
                assert_eq!(world.ask(sync::pull::Request {}).synced.len(), CHANGES);
                taken += begun.elapsed();
            }
            taken
        });
    });
    group.bench_function("git pull", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for _ in 0..rounds {
                world.change();
                let begun = Instant::now();
                git(&world.root.path().join("copy"), &["pull", "-q", "--ff-only"]);
                taken += begun.elapsed();
            }
            taken
        });
    });
    group.finish();
}

criterion_group!(sync_benches, benches);
criterion_main!(sync_benches);
