//! A store that moves into another one, on either engine: everything arrives, an interrupted move goes on, and what
//! cannot be moved is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use soul_engine::clock::Time;
use soul_engine::ids::TaskId;
use soul_engine::ops::audit::verify;
use soul_engine::ops::store::{info, migrate};
use soul_engine::ops::{Error, Operation, backup, restore_backup};
use soul_engine::settings::Settings;
use soul_engine::store::{
    Binding, EventFilter, EventKind, NewEvent, NewSession, Party, Postgres, PromptMaker, SessionState, SoulStatus,
    Sqlite, Store, StoreUrl, Surroundings, Task, TaskState,
};
use soul_engine::{Context, Keeper, Progress};

use super::callers::requests::World;
use super::story::{key, now, personas, started};
use super::{Home, put, run, tester};
use crate::postgres::Server;

const SOUL: &str = "---\nrole: One\n---\nFirst body.\n";

fn sqlite(path: &Path) -> StoreUrl {
    StoreUrl::Sqlite(path.to_path_buf())
}

fn postgres() -> StoreUrl {
    Server::shared().database().parse().unwrap()
}

fn move_store(home: &Home, from: &StoreUrl, to: &StoreUrl) -> Result<migrate::Response, Error> {
    run(&home.keeper(), migrate::Request { from: Some(from.clone()), to: Some(to.clone()) })
}

fn code<T>(result: Result<T, Error>) -> &'static str {
    result.err().map_or("none", |error| error.fault().code)
}

/// A home with a store that has rows in nearly every table, more of some than a page has, and a session that sorts
/// before its parent.
fn filled() -> (Home, StoreUrl) {
    let home = World::new().home;
    let path = home.0.path().join("keeper.db");
    let store = Sqlite::open(&path).unwrap();
    let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "migration"));
    personas(&store, &actor, &origin);
    store.select_soul(Some("ops"), &actor, &origin, now()).unwrap();
    for _ in 0..1_100 {
        store.append_event(&NewEvent::new(EventKind::Select, &actor, &origin), now()).unwrap();
    }
    let parent = started(&store);
    let binding = Binding {
        soul: None,
        status: SoulStatus::Missing,
        surroundings: Surroundings::default(),
        source: None,
        persona: None,
        prompt: PromptMaker::default(),
    };
    let child = NewSession {
        key: key("ada"),
        parent: Some((parent.id.clone(), None)),
        actor,
        origin,
        now: Time::of_seconds(0),
    };
    let child = store.start_session(&child, &binding).unwrap();
    assert!(child.id.as_str() < parent.id.as_str());
    let database = rusqlite::Connection::open(&path).unwrap();
    let text = "INSERT INTO soul_texts (scope, kind, name, file, changed_at, body) \
                VALUES ('home', 'agent', 'ada', 'SOUL.md', '2026-11-16T00:00:00Z', x'00ff')";
    database.execute(text, []).unwrap();
    drop((store, database));
    (home, sqlite(&path))
}

fn opened(home: &Home, url: &StoreUrl) -> Box<dyn Store> {
    match url {
        StoreUrl::Sqlite(path) => Box::new(Sqlite::open(path).unwrap()),
        StoreUrl::Postgres(url) => Box::new(Postgres::open(url, home.0.path()).unwrap()),
    }
}

fn event_numbers(store: &dyn Store) -> Vec<i64> {
    store.events(&EventFilter::default(), 0, 5_000).unwrap().iter().map(|event| event.seq).collect()
}

#[test]
fn a_store_moves_to_either_engine_and_back_and_nothing_is_lost() {
    let (home, source) = filled();
    let recorded = run(&home.keeper(), verify::Request::default()).unwrap();
    let recorded = (recorded.heads.len(), recorded.revisions, recorded.snapshots);
    let mut from = source.clone();
    let mut tables = None;
    for to in [postgres(), postgres(), sqlite(&home.0.path().join("back.db")), sqlite(&home.0.path().join("other.db"))]
    {
        let moved = move_store(&home, &from, &to).unwrap();
        assert!(!moved.resumed);
        assert_eq!((moved.souls, moved.revisions, moved.snapshots), recorded);
        assert!(moved.rows > 1_100 && moved.rows == moved.tables.iter().map(|table| table.rows).sum::<u64>());
        // What was moved first is what arrives last.
        assert_eq!(*tables.get_or_insert(moved.tables.clone()), moved.tables, "{to}");
        from = to;
    }
    let (first, last) = (opened(&home, &source), opened(&home, &from));
    assert_eq!(first.id().unwrap(), last.id().unwrap());
    assert_eq!(event_numbers(&*first), event_numbers(&*last));
    assert_eq!(last.problems().unwrap(), []);
    assert_eq!(last.check().unwrap(), [""; 0]);
}

#[test]
fn a_store_that_was_moved_numbers_on() {
    let (home, source) = filled();
    for to in [postgres(), sqlite(&home.0.path().join("target.db"))] {
        move_store(&home, &source, &to).unwrap();
        let store = opened(&home, &to);
        let last = event_numbers(&*store).pop().unwrap();
        let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "migration"));
        let id = TaskId::fresh_at(now());
        let task = Task {
            id: id.clone(),
            agent: None,
            scope: None,
            payload: json!(1),
            state: TaskState::Queued,
            created_at: now(),
            run: None,
        };
        store.add_task(&task, &actor, &origin).unwrap();
        assert_eq!(
            store.tasks(None, None, 99).unwrap().unwrap().pop().unwrap().id,
            id,
            "{to}: it comes after the others"
        );
        let events = store.events(&EventFilter::default(), last, 9).unwrap();
        assert_eq!(
            events.iter().map(|event| (event.seq, event.event.task.clone())).collect::<Vec<_>>(),
            [(last + 1, Some(id))]
        );
    }
}

/// Ends the operation, as if the process were killed, when it was told this often how far it is.
struct Interrupt(AtomicUsize);

impl Progress for Interrupt {
    fn advance(&self, what: &'static str, _: usize, _: Option<usize>) {
        if what.starts_with("rows") && self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::panic::resume_unwind(Box::new("killed"));
        }
    }
}

/// Begins to move a store, and is ended after so many steps. Whether it was.
fn interrupted(home: &Home, from: &StoreUrl, to: &StoreUrl, after: usize) -> bool {
    let (keeper, caller, progress) = (home.keeper(), tester(), Interrupt(AtomicUsize::new(after)));
    let context = Context { keeper: &keeper, caller: &caller, progress: &progress };
    let request = migrate::Request { from: Some(from.clone()), to: Some(to.clone()) };
    match catch_unwind(AssertUnwindSafe(|| request.call(&context))) {
        Err(_) => true,
        Ok(moved) => {
            moved.unwrap();
            false
        }
    }
}

/// A keeper whose home has nothing but this store.
fn keeper_on(home: &Home, url: &StoreUrl) -> Keeper {
    let roots = home.keeper().roots;
    let settings = Settings::load_with_store(&roots, Some(url)).unwrap();
    Keeper::new(roots, settings)
}

#[test]
fn an_interrupted_migration_continues_wherever_it_was() {
    let (home, source) = filled();
    let expected = move_store(&home, &source, &sqlite(&home.0.path().join("whole.db"))).unwrap().tables;
    let mut interruptions = 0;
    for after in 1.. {
        let target = sqlite(&home.0.path().join(format!("target-{after}.db")));
        if !interrupted(&home, &source, &target, after) {
            break;
        }
        interruptions += 1;
        // Nobody takes half a store for a whole one.
        assert_eq!(code(run(&keeper_on(&home, &target), info::Request {})), "store_unfinished");
        assert_eq!(code(move_store(&home, &target, &sqlite(&home.0.path().join("next.db")))), "store_unfinished");
        // It may be interrupted again.
        interrupted(&home, &source, &target, 2);
        match move_store(&home, &source, &target) {
            Ok(moved) => assert_eq!(moved.tables, expected, "{after}"),
            // The second run had only the end of it left to do.
            Err(error) => assert_eq!(error.fault().code, "already_migrated", "{after}: {error}"),
        }
        let info = run(&keeper_on(&home, &target), info::Request {}).unwrap();
        assert_eq!(info.id, opened(&home, &source).id().unwrap());
    }
    assert!(interruptions > 20, "it was interrupted {interruptions} times only");
}

#[test]
fn a_migration_into_postgresql_continues_and_follows_a_source_that_was_changed() {
    let (home, source) = filled();
    let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "migration"));
    for after in [2, 7, 12, 19] {
        let target = postgres();
        assert!(interrupted(&home, &source, &target, after));
        assert_eq!(code(run(&keeper_on(&home, &target), info::Request {})), "store_unfinished");
        // Rows that were copied are changed and new ones come before where the copy stopped.
        let store = opened(&home, &source);
        store.select_soul(Some(&format!("soul-{after}")), &actor, &origin, now()).unwrap();
        let session = store.sessions(Some("coder"), Some(SessionState::Active), None, 1).unwrap().pop().unwrap();
        store.set_session_state(&session.id, SessionState::Stopped, &actor, &origin, now()).unwrap().unwrap();
        store.set_session_state(&session.id, SessionState::Active, &actor, &origin, now()).unwrap().unwrap();
        let events = event_numbers(&*store);
        drop(store);
        let moved = move_store(&home, &source, &target).unwrap();
        assert!(moved.resumed);
        let there = opened(&home, &target);
        assert_eq!(there.selected_soul().unwrap(), Some(format!("soul-{after}")));
        assert_eq!(event_numbers(&*there), events);
        let back = sqlite(&home.0.path().join(format!("back-{after}.db")));
        assert_eq!(move_store(&home, &target, &back).unwrap().tables, moved.tables);
    }
}

/// Restarts the server, as after a crash, when it was told this often how far the copy is.
struct Restart<'a>(&'a Server, AtomicUsize);

impl Progress for Restart<'_> {
    fn advance(&self, what: &'static str, _: usize, _: Option<usize>) {
        if what.starts_with("rows") && self.1.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.tell("restart");
        }
    }
}

#[test]
fn a_migration_continues_after_the_server_was_restarted_in_the_middle() {
    let (home, source) = filled();
    let expected = move_store(&home, &source, &sqlite(&home.0.path().join("whole.db"))).unwrap().tables;
    let server = Server::start();
    let mut failures = 0;
    for after in [1, 6, 11, 20] {
        let target: StoreUrl = server.database().parse().unwrap();
        let (keeper, caller, progress) = (home.keeper(), tester(), Restart(&server, AtomicUsize::new(after)));
        let moved = loop {
            let context = Context { keeper: &keeper, caller: &caller, progress: &progress };
            let request = migrate::Request { from: Some(source.clone()), to: Some(target.clone()) };
            match request.call(&context) {
                Ok(moved) => break Some(moved),
                Err(error) if error.fault().code == "already_migrated" => break None,
                Err(error) => {
                    failures += 1;
                    assert!(failures < 500, "{error}");
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
            }
        };
        assert!(moved.is_none_or(|moved| moved.tables == expected));
        let back = sqlite(&home.0.path().join(format!("back-{after}.db")));
        assert_eq!(move_store(&home, &target, &back).unwrap().tables, expected);
    }
    println!("migration: failed {failures} times while the server restarted");
}

#[test]
fn what_cannot_be_migrated_is_refused_and_nothing_changes() {
    let (home, source) = filled();
    let at = |name: &str| home.0.path().join(name);
    let empty = sqlite(&at("empty.db"));

    assert_eq!(code(run(&home.keeper(), migrate::Request::default())), "bad_request");
    assert_eq!(code(move_store(&home, &sqlite(&at("none.db")), &empty)), "not_found");
    assert!(!at("none.db").exists() && !at("empty.db").exists());
    // The same file, by whatever name.
    std::os::unix::fs::symlink(at("keeper.db"), at("link.db")).unwrap();
    for same in ["keeper.db", "link.db", "./keeper.db"] {
        assert_eq!(code(move_store(&home, &source, &sqlite(&at(same)))), "same_store", "{same}");
    }
    assert_eq!(code(move_store(&home, &source, &sqlite(&at("keeper.sqlite")))), "same_store");
    // Someone uses one of them.
    let used = Sqlite::open(&at("keeper.db")).unwrap();
    assert_eq!(code(move_store(&home, &source, &empty)), "store_in_use");
    drop(used);
    let used = Sqlite::open(&at("empty.db")).unwrap();
    assert_eq!(code(move_store(&home, &source, &empty)), "store_in_use");
    drop(used);
    // There is another record in the target.
    let (_other, other) = filled();
    let before = opened(&home, &other).id().unwrap();
    assert_eq!(code(move_store(&home, &source, &other)), "target_not_empty");
    assert_eq!(opened(&home, &other).id().unwrap(), before);
    // Or part of another one.
    let half = sqlite(&at("half.db"));
    assert!(interrupted(&home, &other, &half, 3));
    assert_eq!(code(move_store(&home, &source, &half)), "target_not_empty");
    // One that was opened and never used is empty.
    move_store(&home, &source, &empty).unwrap();
    assert_eq!(code(move_store(&home, &source, &empty)), "already_migrated");
    // One database has many URLs.
    let there = postgres();
    move_store(&home, &source, &there).unwrap();
    let StoreUrl::Postgres(url) = &there else { unreachable!() };
    let alias: StoreUrl = format!("{}?application_name=other", url.expose()).parse().unwrap();
    assert_eq!(code(move_store(&home, &there, &there)), "same_store");
    assert_eq!(code(move_store(&home, &there, &alias)), "already_migrated");
    let fresh = postgres();
    let StoreUrl::Postgres(url) = &fresh else { unreachable!() };
    let alias: StoreUrl = format!("{}?application_name=other", url.expose()).parse().unwrap();
    assert_eq!(code(move_store(&home, &fresh, &alias)), "same_store");
    assert!(opened(&home, &fresh).souls().unwrap().is_empty());
    // A record that is damaged stays where it is.
    let database = rusqlite::Connection::open(at("keeper.db")).unwrap();
    database.execute("UPDATE agent_soul_revisions SET actor_ref = 'ceo'", []).unwrap();
    drop(database);
    assert_eq!(code(move_store(&home, &source, &sqlite(&at("late.db")))), "record_damaged");
}

#[test]
fn a_home_finds_its_record_in_the_database_that_it_moved_to() {
    let home = Home::new();
    put(&home.keeper(), SOUL, None).unwrap();
    let own = sqlite(&home.0.path().join("keeper.db"));
    let target = postgres();
    move_store(&home, &own, &target).unwrap();
    let keeper = keeper_on(&home, &target);
    assert_eq!(super::actions(&keeper), ["put"]);
    let info = run(&keeper, info::Request {}).unwrap();
    assert_eq!((info.engine.as_str(), info.souls, info.revisions), ("postgres", 1, 1));
    // And back in a file.
    let back = sqlite(&home.0.path().join("back.db"));
    move_store(&home, &target, &back).unwrap();
    assert_eq!(super::actions(&keeper_on(&home, &back)), ["put"]);
}

#[test]
fn a_database_is_backed_up_into_a_file_and_restored_from_it() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    let keeper = keeper_on(&home, &postgres());
    put(&keeper, SOUL, None).unwrap();
    let file = elsewhere.path().join("monday.db");
    let made = run(&keeper, backup::Request { file: file.clone() }).unwrap();
    assert_eq!((made.souls, made.revisions, made.snapshots), (1, 1, 1));
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1, "nothing is left beside it");
    // A database that is in use is not replaced.
    let restore = |keeper: &Keeper| run(keeper, restore_backup::Request { file: file.clone() });
    assert_eq!(code(restore(&keeper)), "target_not_empty");
    super::keeping::write_next(&keeper, "---\nrole: Two\n---\nSecond body.\n").unwrap();
    assert_eq!(code(restore(&keeper)), "target_not_empty");
    assert_eq!(super::actions(&keeper).len(), 2);
    // Into an empty one, or into a file.
    let before = std::fs::read(&file).unwrap();
    for url in [postgres(), sqlite(&home.0.path().join("file.db"))] {
        let keeper = keeper_on(&home, &url);
        let restored = restore(&keeper).unwrap();
        assert_eq!((restored.backup.revisions, restored.replaced), (1, None));
        assert_eq!(super::actions(&keeper_on(&home, &url)), ["put"], "{url}");
    }
    assert!(std::fs::read(&file).unwrap() == before, "the backup itself stays as it is");
    let left: Vec<_> = std::fs::read_dir(home.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("restoring")), "{left:?}");
}

/// What PostgreSQL has besides: how it orders events, and what tells that a text was changed.
const ONLY_POSTGRES: [(&str, &str); 2] = [("events", "position"), ("soul_texts", "xid")];

#[test]
fn both_engines_have_the_same_tables_and_columns() {
    let home = Home::new();
    let path = home.0.path().join("keeper.db");
    drop(Sqlite::open(&path).unwrap());
    let sql = "SELECT t.name, c.name, c.type, c.\"notnull\" OR c.pk FROM sqlite_schema t, pragma_table_info(t.name) c \
               WHERE t.type = 'table'";
    let database = rusqlite::Connection::open(&path).unwrap();
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let (table, column, of): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let of = match of.as_str() {
            "TEXT" => "text",
            "INTEGER" => "bigint",
            "REAL" => "double precision",
            "BLOB" => "bytea",
            other => panic!("{table}.{column} is of the type {other}"),
        };
        // An event on PostgreSQL gets its number after its commit.
        let is_required = row.get::<_, bool>(3)? && (table.as_str(), column.as_str()) != ("events", "seq");
        Ok(format!("{table}.{column} {of}{}", if is_required { " not null" } else { "" }))
    });
    let mut expected: Vec<String> = rows.unwrap().map(Result::unwrap).collect();
    expected.sort();

    let url = postgres();
    drop(opened(&home, &url));
    let StoreUrl::Postgres(url) = url else { unreachable!() };
    let name = url.expose().rsplit('/').next().unwrap();
    let sql = "SELECT table_name || '.' || column_name || ' ' || data_type || \
               CASE WHEN is_nullable = 'NO' THEN ' not null' ELSE '' END \
               FROM information_schema.columns WHERE table_schema = 'public'";
    let listed = Server::shared().psql(name, sql);
    let is_own =
        |line: &&str| ONLY_POSTGRES.iter().any(|(table, column)| line.starts_with(&format!("{table}.{column} ")));
    let mut found: Vec<_> = listed.lines().filter(|line| !is_own(line)).map(str::to_owned).collect();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(listed.lines().filter(is_own).count(), ONLY_POSTGRES.len());
}
