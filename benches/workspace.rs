//! A workspace of six files from disk to a document, beside reading the same files and nothing else.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soul_engine::ops::{Operation, inspect};
use soul_engine::settings::Settings;
use soul_engine::souls::Target;
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

const FILES: [&str; 7] = [
    "SOUL.md",
    "STYLE.md",
    "IDENTITY.md",
    "AGENTS.md",
    "MEMORY.md",
    "examples/good-outputs.md",
    "examples/bad-outputs.md",
];

fn workspaces(count: usize) -> (tempfile::TempDir, Vec<PathBuf>) {
    let root = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/aria");
    let paths: Vec<_> = (0..count).map(|n| root.path().join(n.to_string())).collect();
    for path in &paths {
        fs::create_dir_all(path.join("examples")).unwrap();
        for name in FILES {
            let text = fs::read(example.join(name)).unwrap_or_else(|_| b"# Aria\n".to_vec());
            fs::write(path.join(name), text).unwrap();
        }
    }
    (root, paths)
}

fn is_valid(keeper: &Keeper, path: &Path) -> bool {
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    let request = inspect::Request::new(Target::Path(path.to_path_buf()));
    request.call(&Context::new(keeper, &caller)).unwrap().valid
}

fn benches(criterion: &mut Criterion) {
    let (_root, paths) = workspaces(200);
    let keeper = Keeper::new(Roots::default(), Settings::default());
    let mut group = criterion.benchmark_group("six-file workspace, warm");
    group.throughput(Throughput::Elements(paths.len() as u64));
    group.bench_function("inspect: load, digest and project to JSON", |bench| {
        bench.iter(|| assert!(paths.iter().all(|path| is_valid(&keeper, path))));
    });
    group.bench_function("reading the files", |bench| {
        bench.iter(|| paths.iter().for_each(|path| drop(FILES.map(|name| fs::read(path.join(name)).unwrap()))));
    });
    group.finish();
}

/// A package of a thousand files, beside reading them.
fn package(criterion: &mut Criterion) {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("soul.json"), r#"{"specVersion": "0.6", "name": "many", "type": "pack"}"#).unwrap();
    fs::write(root.path().join("SOUL.md"), "You have a thousand files.").unwrap();
    for n in 0..998 {
        let folder = root.path().join(format!("skills/s{n}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("SKILL.md"),
            format!("---\nname: s{n}\ndescription: Skill {n}\n---\n{}", "Text. ".repeat(200)),
        )
        .unwrap();
    }
    let keeper = Keeper::new(Roots::default(), Settings::default());
    let mut group = criterion.benchmark_group("package of 1000 files");
    group.bench_function("inspect", |bench| bench.iter(|| assert!(is_valid(&keeper, root.path()))));
    group.bench_function("reading the files", |bench| {
        bench.iter(|| {
            (0..998).map(|n| fs::read(root.path().join(format!("skills/s{n}/SKILL.md"))).unwrap().len()).sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(all, benches, package);
criterion_main!(all);
