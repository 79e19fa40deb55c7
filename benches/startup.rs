//! From process start to the first soul, beside `true`, which does nothing.
//!
//! Needs the release binary: `cargo build --release` first.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

fn binary() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/soul");
    assert!(path.exists(), "run `cargo build --release` first");
    path
}

fn run(mut command: Command) {
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

fn benches(criterion: &mut Criterion) {
    let soul = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/reviewer/SOUL.md");
    let binary = binary();
    let mut group = criterion.benchmark_group("process");
    group.bench_function("true", |bench| bench.iter(|| run(Command::new("true"))));
    group.bench_function("soul inspect", |bench| {
        bench.iter(|| {
            let mut command = Command::new(&binary);
            command.arg("inspect").arg(&soul);
            run(command);
        });
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
