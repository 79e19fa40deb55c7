use soul_engine::ops::{inspect, library, list, log, task};
use soul_engine::souls::Target;
use soul_engine::store::{Action, Draft, Party, Settled, Sqlite, Store};
use soul_engine::workspace::{Kind, SoulKey};

use super::*;

/// A way to lose a store, and its name.
type Way<'a> = (&'a str, &'a dyn Fn(&Home));

/// What is written into a file that has no name any more is gone with the process.
#[test]
fn a_store_that_was_removed_or_replaced_takes_no_writes() {
    let ways: [Way<'_>; 4] = [
        ("removed", &Home::remove_store),
        ("log removed", &|home| fs::remove_file(home.0.path().join("keeper.db-wal")).unwrap()),
        ("replaced with its log", &|home| {
            let copy = home.0.path().join("copy.db");
            fs::copy(home.store_file(), &copy).unwrap();
            home.remove_store();
            fs::rename(copy, home.store_file()).unwrap();
        }),
        ("replaced", &|home| {
            let copy = home.0.path().join("copy.db");
            fs::copy(home.store_file(), &copy).unwrap();
            fs::rename(copy, home.store_file()).unwrap();
        }),
    ];
    for (way, lose) in ways {
        let home = Home::new();
        let keeper = home.keeper();
        put(&keeper, ONE, None).unwrap();
        let seen = digest(&keeper);
        lose(&home);
        assert_eq!(code(put(&keeper, TWO, seen.as_deref())), Some("store_lost"), "{way}");
        assert_eq!(home.text().as_deref(), Some(ONE), "{way}");
        // What need not be durable is not acknowledged either, and a service is not ready.
        let add = task::add::Request { agent: None, payload: serde_json::json!(1) };
        assert_eq!(code(run(&keeper, add)), Some("store_lost"), "{way}");
        assert_eq!(code(run(&keeper, log::Request::default())), Some("store_lost"), "{way}");
        assert_eq!(code(verified(&keeper)), Some("store_lost"), "{way}");
    }
}

#[test]
fn a_lost_store_is_told_by_whoever_opens_it() {
    let other = Home::new();
    put(&other.keeper(), TWO, None).unwrap();
    let other = other.store_file();
    let ways: [Way<'_>; 4] = [
        ("missing", &Home::remove_store),
        ("emptied", &|home| fs::write(home.store_file(), "").unwrap()),
        ("another", &|home| {
            fs::copy(&other, home.store_file()).unwrap();
        }),
        ("of an earlier version", &|home| {
            let old = super::super::compatibility::Old::new();
            fs::copy(old.store_file(), home.store_file()).unwrap();
        }),
    ];
    for (way, lose) in ways {
        let home = Home::new();
        put(&home.keeper(), ONE, None).unwrap();
        lose(&home);
        let before = fs::read(home.store_file()).ok();
        assert_eq!(code(verified(&home.keeper())), Some("store_lost"), "{way}");
        assert_eq!(code(put(&home.keeper(), TWO, None)), Some("store_lost"), "{way}");
        assert!(home.keeper().check_record().is_err(), "{way}");
        let told = broken(&home.keeper());
        assert!(told[0].0.contains("lost or rolled back") && told[0].1.contains("restore-backup"), "{way}: {told:?}");
        assert!(fs::read(home.store_file()).ok() == before, "{way}: it is left as it is");
        // Someone begins anew on purpose.
        fs::remove_file(home.0.path().join("keeper.mark")).unwrap();
        write_next(&home.keeper(), TWO).unwrap();
        assert!(verified(&home.keeper()).unwrap().ok, "{way}");
    }
}

#[test]
fn a_store_that_was_rolled_back_is_told() {
    let home = Home::new();
    put(&home.keeper(), ONE, None).unwrap();
    let earlier = fs::read(home.store_file()).unwrap();
    write_next(&home.keeper(), TWO).unwrap();
    let later = fs::read(home.store_file()).unwrap();
    let told = |home: &Home| {
        let audit = verified(&home.keeper()).unwrap();
        assert!(!audit.ok && audit.problems[0].table == "keeper.mark", "{audit:?}");
        assert_eq!(audit.problems[0].id, "home/agent/coder");
        assert!(!broken(&home.keeper()).is_empty());
        assert_eq!(
            home.keeper().check_record().unwrap_err().to_string().split(':').next(),
            Some("the record was lost or rolled back")
        );
    };
    fs::write(home.store_file(), earlier).unwrap();
    told(&home);
    // All that was ever recorded of a soul is gone.
    fs::write(home.store_file(), &later).unwrap();
    assert!(verified(&home.keeper()).unwrap().ok);
    let database = rusqlite::Connection::open(home.store_file()).unwrap();
    database.execute_batch("DELETE FROM agent_soul_revisions; DELETE FROM events").unwrap();
    drop(database);
    told(&home);
}

/// A power cut may lose that a revision was settled, and not that its head was noted.
#[test]
fn a_note_is_never_ahead_of_what_recovery_may_drop() {
    let home = Home::new();
    let key = SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: "coder".to_owned() };
    let store = Sqlite::open(&home.store_file()).unwrap();
    let now = soul_engine::clock::Time::of_seconds(1_794_823_019);
    let draft = |text: &str| Draft {
        key: key.clone(),
        after: None,
        place: None,
        action: Action::Put,
        previous_digest: None,
        new_digest: None,
        body: Some(text.as_bytes().to_vec()),
        dialect: None,
        idempotency: None,
        reason: None,
        message: None,
        actor: Party::new("user", "ada"),
        origin: Party::new("test", "loss"),
        now,
    };
    let revision = store.append_revision(&draft("one"), None).unwrap().unwrap();
    assert!(store.settle_revision(&revision, Settled::Done, now).unwrap());
    let database = rusqlite::Connection::open(home.store_file()).unwrap();
    database.execute("UPDATE agent_soul_revisions SET state = 'pending'", []).unwrap();
    home.keeper().check_record().unwrap();
    assert!(store.settle_revision(&revision, Settled::Dropped, now).unwrap());
    home.keeper().check_record().unwrap();
    let again = store.append_revision(&draft("two"), None).unwrap().unwrap();
    assert!(store.settle_revision(&again, Settled::Done, now).unwrap());
    home.keeper().check_record().unwrap();
}

/// A write would note the new end of the chain, and nothing would show any more what is missing.
#[test]
fn a_record_that_was_rolled_back_takes_no_writes() {
    let rolled_back: [&str; 2] = ["DELETE FROM agent_soul_revisions WHERE seq = 2", "DELETE FROM agent_soul_revisions"];
    for sql in rolled_back {
        let home = Home::new();
        put(&home.keeper(), ONE, None).unwrap();
        write_next(&home.keeper(), TWO).unwrap();
        rusqlite::Connection::open(home.store_file()).unwrap().execute(sql, []).unwrap();
        let keeper = home.keeper();
        assert_eq!(code(write_next(&keeper, ONE)), Some("store_lost"), "{sql}");
        assert_eq!(home.text().as_deref(), Some(TWO), "{sql}");
        assert!(!verified(&keeper).unwrap().ok, "{sql}");
        fs::remove_file(home.store_file().with_extension("mark")).unwrap();
        write_next(&home.keeper(), ONE).unwrap();
    }
}

/// A home that is not there has not become empty, and is not made anew.
#[test]
fn a_home_that_was_moved_away_is_not_taken_for_an_empty_one() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let away = home.0.path().with_extension("away");
    fs::rename(home.0.path(), &away).unwrap();
    let inspected = inspect::Request::new(Target::Agent(coder()));
    assert_eq!(code(run(&keeper, list::Request::default())), Some("store_lost"));
    assert_eq!(code(run(&keeper, library::list::Request::default())), Some("store_lost"));
    assert_eq!(code(run(&keeper, inspected)), Some("store_lost"));
    assert!(!home.0.path().exists());
    fs::rename(&away, home.0.path()).unwrap();
    assert_eq!(code(run(&keeper, list::Request::default())), None);
}

#[test]
fn a_home_of_an_earlier_version_gets_its_mark() {
    let old = super::super::compatibility::Old::new();
    let mark = old.store_file().with_extension("mark");
    assert!(!mark.exists());
    drop(Sqlite::open(&old.store_file()).unwrap());
    let text = fs::read_to_string(&mark).unwrap();
    assert!(text.starts_with("{\"store\":\"store_"), "{text}");
    assert_eq!(text.matches("\"head\"").count(), 8, "{text}");
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(mark.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn tables_without_a_version_are_said_to_have_lost_it() {
    let home = Home::new();
    put(&home.keeper(), ONE, None).unwrap();
    let database = rusqlite::Connection::open(home.store_file()).unwrap();
    database.pragma_update(None, "user_version", 0).unwrap();
    drop(database);
    let failed = verified(&home.keeper()).unwrap_err();
    assert!(failed.to_string().contains("user_version") && failed.to_string().len() < 200, "{failed}");
}
