//! The keeper beside the bare system calls that no keeper could do without.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rusqlite::Connection;
use serde_json::json;
use soul_engine::Keeper;
use soul_engine::ops::payload::{Asker, Authorship};
use soul_engine::ops::{history, inspect, session, task, write};
use soul_engine::store::Party;
use soul_engine::workspace::{AgentName, Roots, Target};

fn reviewer() -> AgentName {
    "reviewer".parse().unwrap()
}

fn asker() -> Asker {
    Asker { actor: Party::new("user", "bench"), origin: Party::new("bench", "keeper") }
}

/// A keeper with one agent, on the disk that the project is on: `/tmp` may be memory.
fn keeper() -> (tempfile::TempDir, Keeper) {
    let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    fs::create_dir_all(home.path().join("agents/reviewer")).unwrap();
    let roots = Roots { workspace: None, home: Some(home.path().to_path_buf()), user: None };
    let keeper = Keeper::open(roots).unwrap();
    (home, keeper)
}

fn text(n: u64) -> Vec<u8> {
    let body = "You review changes with evidence, and say what blocks the merge first.\n".repeat(4);
    format!("---\nrole: Reviewer {n}\ntone: [calm]\n---\n{body}").into_bytes()
}

fn put(keeper: &Keeper, body: Vec<u8>, expected_digest: Option<String>) -> String {
    let authorship = Authorship { expected_digest, idempotency_key: None, force: None, asker: asker() };
    let request = write::Request { agent: reviewer(), body, dialect: None, create: false, authorship };
    write::run(keeper, request).unwrap().revision.sealed.new_digest.unwrap().to_string()
}

/// The managed write, and the commit and the fsyncs that it cannot do without. A disk has moods, so
/// the two take turns and the middle of many turns is told.
fn writes(_: &mut Criterion) {
    const TURNS: usize = 400;
    let (home, keeper) = keeper();
    let database = Connection::open(home.path().join("bare.db")).unwrap();
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB) STRICT";
    database.execute_batch(&format!("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {schema};")).unwrap();
    let folder = home.path().join("bare");
    fs::create_dir(&folder).unwrap();
    let commit = |bytes: &[u8]| {
        database.prepare_cached("INSERT INTO t (body) VALUES (?1)").unwrap().execute([bytes]).unwrap();
    };
    let replace = |bytes: &[u8]| {
        let staged = folder.join("staged");
        let mut file = File::create(&staged).unwrap();
        file.write_all(bytes).unwrap();
        file.sync_all().unwrap();
        fs::rename(&staged, folder.join("SOUL.md")).unwrap();
        File::open(&folder).unwrap().sync_all().unwrap();
    };
    let mut digest = None;
    let mut taken: [Vec<Duration>; 3] = Default::default();
    for n in 0..TURNS {
        let bytes = text(n as u64);
        let mut time = |which: usize, work: &mut dyn FnMut()| {
            let begun = Instant::now();
            work();
            taken[which].push(begun.elapsed());
        };
        time(0, &mut || digest = Some(put(&keeper, bytes.clone(), digest.take())));
        time(1, &mut || commit(&bytes));
        time(2, &mut || replace(&bytes));
    }
    let [managed, commit, replace] = taken.map(|mut times| {
        times.sort();
        times[TURNS / 2].as_secs_f64() * 1e3
    });
    let ratio = managed / (commit + replace);
    println!(
        "durable write, median of {TURNS}: managed {managed:.2} ms; bare commit {commit:.2} + replace {replace:.2} ms; {ratio:.2} times"
    );
}

fn reads(criterion: &mut Criterion) {
    let (_home, keeper) = keeper();
    let mut digest = None;
    for n in 0..10_000 {
        digest = Some(put(&keeper, text(n), digest.take()));
    }
    let mut group = criterion.benchmark_group("an agent with 10 000 revisions");
    group.bench_function("inspect by name", |bench| {
        bench.iter(|| {
            let target = Target::Agent(reviewer());
            let request = inspect::Request { target, dialect: None, profile: Default::default() };
            assert!(inspect::run(&keeper, request).unwrap().valid);
        });
    });
    let page = |cursor: Option<String>, bodies| {
        let request = history::Request { agent: reviewer(), limit: 50, cursor, bodies, diffs: false };
        history::run(&keeper, request).unwrap()
    };
    group.bench_function("newest 50 of the history", |bench| bench.iter(|| page(None, false)));
    group.bench_function("50 from the middle", |bench| bench.iter(|| page(Some("5000".to_owned()), false)));
    group.bench_function("50 from the middle, with bodies", |bench| {
        bench.iter(|| page(Some("5000".to_owned()), true));
    });
    group.sample_size(10).bench_function("all of it by pages of 50", |bench| {
        bench.iter(|| {
            let (mut cursor, mut seen) = (None, 0);
            loop {
                let found = page(cursor, false);
                seen += found.revisions.len();
                cursor = found.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, 10_000);
        });
    });
    group.finish();
}

fn claims(criterion: &mut Criterion) {
    let (_home, keeper) = keeper();
    put(&keeper, text(0), None);
    let start = session::start::Request { runs: session::start::Runs::Agent(reviewer()), asker: asker() };
    let session = session::start::run(&keeper, start).unwrap().response.session.id;
    let mut group = criterion.benchmark_group("tasks");
    group.bench_function("add, claim and finish", |bench| {
        bench.iter(|| {
            let payload = json!({ "pull": 7 });
            task::add::run(&keeper, task::add::Request { agent: None, payload, asker: asker() }).unwrap();
            let lease = Duration::from_secs(60);
            let claim = task::claim::Request { session: session.clone(), lease, asker: asker() };
            let run = task::claim::run(&keeper, claim).unwrap().run.unwrap().id;
            let outcome = soul_engine::store::Outcome::Done;
            task::finish::run(&keeper, task::finish::Request { run, outcome, asker: asker() }).unwrap();
        });
    });
    group.finish();
}

criterion_group!(benches, writes, reads, claims);
criterion_main!(benches);
