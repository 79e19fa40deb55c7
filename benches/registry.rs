//! A registry of 1 000 packages: indexed with a scan of every file, and searched.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use soul_engine::clock::Time;
use soul_engine::ops::Operation;
use soul_engine::ops::registry::{index, search};
use soul_engine::registry::{Catalog, Index, Query};
use soul_engine::settings::{RegistrySource, Settings};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

const PACKAGES: usize = 1_000;

const WORDS: [&str; 16] = [
    "harbour", "review", "tutor", "incident", "kitchen", "library", "data", "meeting", "garden", "travel", "music",
    "ledger", "robot", "school", "release", "letter",
];

fn registry() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for number in 0..PACKAGES {
        let (one, two) = (WORDS[number % 16], WORDS[number / 16 % 16]);
        let folder = root.path().join(format!("souls/owner-{}/{one}-{two}-{number}", number % 40));
        fs::create_dir_all(&folder).unwrap();
        let manifest = serde_json::json!({
            "specVersion": "0.6", "name": format!("{one}-{two}-{number}"), "displayName": format!("{one} {two} {number}"),
            "version": "1.0.0", "description": format!("Helps with the {one} and the {two} of people who have little time."),
            "author": { "name": "Owner", "github": format!("owner-{}", number % 40) }, "license": "MIT", "tags": [one, two],
            "category": "lifestyle/assistant", "files": { "soul": "SOUL.md" },
        });
        fs::write(folder.join("soul.json"), manifest.to_string()).unwrap();
        let lines = (0..24)
            .map(|line| format!("- In case {line} you ask about the {one}, wait, and answer in two sentences.\n"));
        let soul = format!("# {one} {two}\n\nYou know the {one} by heart.\n\n## Ways\n\n{}", lines.collect::<String>());
        fs::write(folder.join("SOUL.md"), soul).unwrap();
        fs::write(folder.join("STYLE.md"), format!("# Style\n\n- Short sentences about the {two}.\n")).unwrap();
    }
    root
}

fn registries(criterion: &mut Criterion) {
    let root = registry();
    let open = || {
        let mut settings = Settings::default();
        settings.registry.sources = vec![RegistrySource::Folder("bench".to_owned(), root.path().to_path_buf())];
        Keeper::new(Roots::default(), settings)
    };
    let keeper = open();
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    let build = || {
        let request = index::Request { dir: root.path().to_path_buf(), generated_at: Some(Time::of_seconds(0)) };
        request.run(&Context::new(&keeper, &caller)).unwrap()
    };
    let mut group = criterion.benchmark_group("registry of 1000 packages");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.bench_function("index", |bencher| bencher.iter(build));
    let index: Index = build().index;
    let catalog = Catalog::of(vec![("bench".to_owned(), index)]);
    group.bench_function("search", |bencher| {
        bencher.iter(|| black_box(catalog.search(&Query { text: "incident tutor", ..Query::default() }).len()));
    });
    // As a service answers it: with the look whether the registry has changed.
    let request = search::Request { query: Some("incident tutor".to_owned()), ..search::Request::default() };
    group.bench_function("search, as an operation", |bencher| {
        bencher.iter(|| black_box(request.clone().run(&Context::new(&keeper, &caller)).unwrap().total));
    });
    // As a command answers it: from the files.
    group.bench_function("search, cold", |bencher| {
        bencher.iter(|| black_box(request.clone().run(&Context::new(&open(), &caller)).unwrap().total));
    });
    group.finish();
}

criterion_group!(benches, registries);
criterion_main!(benches);
