//! The keeper beside the bare system calls that no keeper could do without.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rusqlite::Connection;
use serde_json::json;
use soul_engine::fields::{Cursor, ExpectedDigest, Limit};
use soul_engine::ops::{Operation, history, inspect, session, task, write};
use soul_engine::souls::Target;
use soul_engine::store::Party;
use soul_engine::workspace::{AgentName, Roots};
use soul_engine::{Caller, Context, Keeper};

fn reviewer() -> AgentName {
    "reviewer".parse().unwrap()
}

fn run<O: Operation>(keeper: &Keeper, request: O) -> O::Response {
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    request.call(&Context::new(keeper, &caller)).unwrap()
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

fn put(keeper: &Keeper, body: Vec<u8>, expected: Option<ExpectedDigest>) -> ExpectedDigest {
    let request = write::Request { expected_digest: expected, ..write::Request::new(reviewer(), body.into()) };
    ExpectedDigest::Meaning(run(keeper, request).revision.sealed.new_digest.unwrap())
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
            let request = inspect::Request::new(Target::Agent(reviewer()));
            assert!(run(&keeper, request).valid);
        });
    });
    let page = |cursor: Option<Cursor>, bodies| {
        run(&keeper, history::Request { agent: reviewer(), limit: Limit::new(50), cursor, bodies, diffs: false })
    };
    let middle = || Some(Cursor::from("5000".to_owned()));
    group.bench_function("newest 50 of the history", |bench| bench.iter(|| page(None, false)));
    group.bench_function("50 from the middle", |bench| bench.iter(|| page(middle(), false)));
    group.bench_function("50 from the middle, with bodies", |bench| {
        bench.iter(|| page(middle(), true));
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
    let start = session::start::Request { agent: Some(reviewer()), soul: None };
    let session_id = run(&keeper, start).response.session.id;
    let mut group = criterion.benchmark_group("tasks");
    group.bench_function("add, claim and finish", |bench| {
        bench.iter(|| {
            let payload = json!({ "pull": 7 });
            run(&keeper, task::add::Request { agent: None, payload });
            let claim = task::claim::Request { session_id: session_id.clone(), lease_seconds: Default::default() };
            let run_id = run(&keeper, claim).run.unwrap().id;
            run(&keeper, task::finish::Request { run_id, failed: false });
        });
    });
    group.finish();
}

criterion_group!(benches, writes, reads, claims);
criterion_main!(benches);
