//! A library of 10 000 souls: opened, searched, changed, beside reading the same files and nothing else.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use soul_engine::ops::Operation;
use soul_engine::ops::library::{list, show, update};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

const SOULS: usize = 10_000;

const WORDS: [&str; 40] = [
    "careful", "answer", "the", "of", "and", "patient", "report", "deploy", "incident", "service", "never", "always",
    "review", "change", "rollback", "explain", "short", "calm", "evidence", "customer", "queue", "alert", "schedule",
    "before", "after", "confirm", "with", "their", "words", "question", "metrics", "owner", "window", "release",
    "risk", "plain", "summary", "context", "handover", "note",
];

/// A soul of about 2.2 KB that differs from every other.
fn text(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 33) as usize % WORDS.len()]
    };
    let mut out =
        format!("---\nname: Soul {number}\ndescription: About {} and {}\n---\n\n# Identity\n\n", next(), next());
    while out.len() < 2_180 {
        out.push_str(next());
        out.push(if out.len() % 12 == 0 { '\n' } else { ' ' });
    }
    out.push_str(&format!("\nticket-{number:05}\n"));
    out
}

fn library() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let souls = home.path().join("souls");
    fs::create_dir(&souls).unwrap();
    let old = SystemTime::now() - Duration::from_secs(60);
    for number in 0..SOULS {
        let path = souls.join(format!("soul-{number}.md"));
        fs::write(&path, text(number)).unwrap();
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
    fs::File::open(&souls).unwrap().set_modified(old).unwrap();
    home
}

fn keeper(home: &Path) -> Keeper {
    Keeper::open(Roots { workspace: None, home: Some(home.to_path_buf()), user: None }).unwrap()
}

fn run<O: Operation>(keeper: &Keeper, request: O) -> O::Response {
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    request.call(&Context::new(keeper, &caller)).unwrap()
}

fn ask(keeper: &Keeper, query: &str) -> usize {
    let request = list::Request { query: query.to_owned(), ..list::Request::default() };
    run(keeper, request).pagination.total_records
}

fn benches(criterion: &mut Criterion) {
    let home = library();
    let mut group = criterion.benchmark_group("library of 10000");
    group.sample_size(10);
    group.bench_function("open and list", |bench| {
        bench.iter_batched(|| keeper(home.path()), |keeper| ask(&keeper, ""), BatchSize::PerIteration);
    });
    group.bench_function("open and search", |bench| {
        bench.iter_batched(|| keeper(home.path()), |keeper| ask(&keeper, "ticket-07777"), BatchSize::PerIteration);
    });
    group.bench_function("reading the files", |bench| {
        bench.iter(|| {
            let files = fs::read_dir(home.path().join("souls")).unwrap();
            files.map(|entry| fs::read(entry.unwrap().path()).unwrap().len()).sum::<usize>()
        });
    });
    group.bench_function("look anew, nothing changed", |bench| {
        let keeper = keeper(home.path());
        ask(&keeper, "");
        bench.iter_custom(|times| {
            (0..times)
                .map(|_| {
                    std::thread::sleep(Duration::from_millis(510));
                    let start = std::time::Instant::now();
                    ask(&keeper, "");
                    start.elapsed()
                })
                .sum()
        });
    });
    group.sample_size(50);
    let keeper = keeper(home.path());
    ask(&keeper, "");
    for (name, query, expected) in [
        ("search: one soul", "TICKET-07777", 1),
        ("search: nothing", "deploy customer zebra", 0),
        ("search: a rare pair of letters", "zz", 0),
        ("search: every soul", "identity", SOULS),
        ("search: one letter", "e", SOULS),
    ] {
        // A look every half second is not what is measured here.
        group.bench_function(name, |bench| {
            let index = keeper.library().unwrap();
            bench.iter(|| assert_eq!(index.search(query).len(), expected));
        });
    }
    group.bench_function("search: a phrase of common words", |bench| {
        let index = keeper.library().unwrap();
        bench.iter(|| index.search("never the review").len());
    });
    group.bench_function("list: the first page", |bench| bench.iter(|| assert_eq!(ask(&keeper, ""), SOULS)));
    group.bench_function("show", |bench| {
        let id = || "soul-7777".parse().unwrap();
        bench.iter(|| run(&keeper, show::Request { id: id(), source: false }));
    });
    group.sample_size(10);
    group.bench_function("update", |bench| {
        let mut number = 0;
        bench.iter(|| {
            number += 1;
            let request = update::Request {
                id: "soul-5".parse().unwrap(),
                name: None,
                description: Some(format!("number {number}")),
                content: None,
                expected_digest: None,
                force: None,
            };
            run(&keeper, request)
        });
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
