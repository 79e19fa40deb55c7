//! The store on SQLite and on PostgreSQL in one run, each operation beside the bare statements of its transactions on a
//! connection of its own, with the same tables and the same fsyncs; then how many answers a second 1, 2 and 4 keepers
//! give on one database.

#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod bare;
mod fleet;
#[path = "../../tests/support/postgres.rs"]
mod postgres_server;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bare::Bare;
use postgres_server::Server;
use serde_json::json;
use soul_engine::fields::{ExpectedDigest, Limit};
use soul_engine::ids::SessionId;
use soul_engine::ops::{Operation, context, history, session, task, write};
use soul_engine::souls::Subject;
use soul_engine::souls::Target;
use soul_engine::store::Party;
use soul_engine::workspace::{AgentName, Roots};
use soul_engine::{Caller, Context, Keeper};

const TURNS: usize = 300;

fn main() {
    let server = Server::start_with("on");
    println!("{:<34} {:>10} {:>10} {:>7}", "median of alternating turns", "managed", "bare", "times");
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("agents/reviewer")).unwrap();
    let file = home.path().join("bare/keeper.db");
    fs::create_dir(home.path().join("bare")).unwrap();
    drop(soul_engine::store::Sqlite::open(&file).unwrap());
    measure("SQLite", &open(home.path()), &mut bare::Sqlite::new(&file));

    let home = tempfile::tempdir().unwrap();
    configure(home.path(), &server.database());
    let url = server.database();
    let other = tempfile::tempdir().unwrap();
    configure(other.path(), &url);
    // Makes the tables.
    drop(run(&open(other.path()), soul_engine::ops::list::Request::default()));
    measure("PostgreSQL", &open(home.path()), &mut bare::Postgres::new(&url));
    fleet::keepers(&server);
}

fn configure(home: &Path, url: &str) {
    fs::write(home.join("config.toml"), format!("[store]\nurl = \"{url}\"\nsouls = \"database\"\n")).unwrap();
}

fn open(home: &Path) -> Keeper {
    Keeper::open(Roots { workspace: None, home: Some(home.to_path_buf()), user: None }).unwrap()
}

fn run<O: Operation>(keeper: &Keeper, request: O) -> O::Response {
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    request.call(&Context::new(keeper, &caller)).unwrap()
}

fn reviewer() -> AgentName {
    "reviewer".parse().unwrap()
}

fn text(n: usize) -> Vec<u8> {
    let body = "You review changes with evidence, and say what blocks the merge first.\n".repeat(4);
    format!("---\nrole: Reviewer {n}\ntone: [calm]\n---\n{body}").into_bytes()
}

fn put(keeper: &Keeper, n: usize, expected: Option<ExpectedDigest>) -> Option<ExpectedDigest> {
    let request =
        write::Request { expected_digest: expected, create: true, ..write::Request::new(reviewer(), text(n).into()) };
    run(keeper, request).revision.sealed.new_digest.map(ExpectedDigest::Meaning)
}

fn claim(keeper: &Keeper, session_id: &SessionId) {
    let claim = task::claim::Request { session_id: session_id.clone(), lease_seconds: Default::default() };
    assert!(run(keeper, claim).run.is_some());
}

/// Takes turns, because a disk has moods, and prints the middle of each.
fn compare(engine: &str, name: &str, mut managed: impl FnMut(usize), mut bare: impl FnMut(usize)) {
    let mut taken: [Vec<Duration>; 2] = Default::default();
    for turn in 0..TURNS {
        let begun = Instant::now();
        managed(turn);
        taken[0].push(begun.elapsed());
        let begun = Instant::now();
        bare(turn);
        taken[1].push(begun.elapsed());
    }
    let [managed, bare] = taken.map(|mut times| {
        times.sort_unstable();
        times[TURNS / 2].as_secs_f64() * 1e3
    });
    println!("{:<34} {managed:>7.3} ms {bare:>7.3} ms {:>7.2}", format!("{engine}: {name}"), managed / bare);
}

fn measure(engine: &str, keeper: &Keeper, bare: &mut dyn Bare) {
    let mut digest = put(keeper, 1_000_000, None);
    bare::prepare(bare, &text(1_000_000));
    let mut seq = 1;
    compare(
        engine,
        "managed write",
        |turn| digest = put(keeper, turn, digest.take()),
        |turn| {
            seq += 1;
            bare::write(bare, seq, &text(turn));
        },
    );
    let start = session::start::Request { agent: Some(reviewer()), soul: None };
    let session_id = run(keeper, start).response.session.id;
    for n in 0..TURNS {
        run(keeper, task::add::Request { agent: None, payload: json!({ "pull": n }) });
        bare::add_task(bare, n);
    }
    compare(engine, "claim", |_| claim(keeper, &session_id), |turn| bare::claim(bare, turn));
    let page = history::Request { agent: reviewer(), limit: Limit::new(50), cursor: None, bodies: false, diffs: false };
    compare(engine, "history page of 50", |_| drop(run(keeper, page.clone())), |_| bare::history(bare));
    let subject = || Subject::Target(Target::Agent(reviewer()));
    compare(
        engine,
        "context",
        |_| drop(run(keeper, context::Request { subject: subject(), dialect: None })),
        |_| bare::context(bare),
    );
}
