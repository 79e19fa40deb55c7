//! What earlier versions left when two directories with one record wrote at the same time.

use rusqlite::Connection;
use soul_core::digest::Digest;
use soul_engine::ops::audit::repair;
use soul_engine::store::{Action, Draft, Revision, Settled, Sqlite, Store};
use soul_engine::workspace::{Kind, SoulKey};

use super::*;

fn key() -> SoulKey {
    SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: "coder".to_owned() }
}

/// What an earlier version would have recorded: after whatever is newest, over what it had seen.
fn append(store: &Sqlite, action: Action, text: &str, seen: Option<Digest>, after: &Revision) -> Revision {
    let sealed = after.sealed.clone();
    let draft = Draft {
        key: key(),
        after: Some(after.link()),
        place: None,
        action,
        previous_digest: seen,
        new_digest: Some(Digest::of([text.as_bytes()])),
        body: Some(text.as_bytes().to_vec()),
        dialect: None,
        idempotency: None,
        reason: None,
        message: None,
        actor: sealed.actor,
        origin: sealed.origin,
        now: sealed.created_at,
    };
    store.append_revision(&draft, None).unwrap().unwrap()
}

struct Broken {
    home: Home,
    store: Sqlite,
    database: Connection,
    first: Revision,
    second: Revision,
}

impl Broken {
    /// A record of two revisions; the rest is for the test.
    fn new() -> Self {
        let home = Home::new();
        put(&home.keeper(), ONE, None).unwrap();
        let path = home.0.path().join("keeper.db");
        let store = Sqlite::open(&path).unwrap();
        let first = store.tail(&key()).unwrap().last.unwrap();
        let second = append(&store, Action::Adopt, TWO, first.sealed.new_digest, &first);
        Self { home, store, database: Connection::open(path).unwrap(), first, second }
    }

    /// Sets the state of a row as a race of an earlier version left it.
    fn set(&self, state: &str, revision: &Revision) {
        let sql = "UPDATE agent_soul_revisions SET state = ?1 WHERE id = ?2";
        assert_eq!(self.database.execute(sql, [state, revision.sealed.id.as_str()]).unwrap(), 1);
    }

    fn verify(&self) -> audit::verify::Response {
        run(&self.home.keeper(), audit::verify::Request::default()).unwrap()
    }

    fn repair(&self, dry_run: bool) -> repair::Response {
        run(&self.home.keeper(), repair::Request { dry_run }).unwrap()
    }

    /// It is broken, is explained without a change, and is repaired once and for all.
    fn assert_repaired(&self, links: usize, stuck: usize) {
        assert!(!self.verify().ok);
        let plan = self.repair(true);
        assert!(plan.ok && plan.dry_run && plan.repaired.len() == links + stuck, "{plan:?}");
        assert!(!self.verify().ok, "a plan changes nothing");
        let done = self.repair(false);
        assert_eq!(done.repaired.len(), links + stuck);
        let audit = self.verify();
        assert!(audit.ok && audit.repaired.len() == links, "{audit:?}");
        assert!(self.repair(false).repaired.is_empty(), "nothing is left to repair");
        let kinds: Vec<_> = events(&self.home.keeper()).iter().map(|event| event.event.kind.as_str()).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == "audit.repair").count(), 1);
        // The record goes on, and whatever is changed from now on is seen.
        put(&self.home.keeper(), THREE, digest(&self.home.keeper()).as_deref()).unwrap();
        assert!(self.verify().ok);
        self.database.execute_batch("CREATE TEMP TABLE kept AS SELECT * FROM agent_soul_revisions").unwrap();
        for sql in [
            "UPDATE agent_soul_revisions SET actor_ref = 'x' WHERE seq = 4",
            "UPDATE agent_soul_revisions SET actor_ref = 'x' WHERE seq = 2",
            "UPDATE agent_soul_revisions SET body = x'00' WHERE seq = 4",
            "DELETE FROM agent_soul_revisions WHERE seq = 2",
        ] {
            assert_eq!(self.database.execute(sql, []).unwrap(), 1, "{sql}");
            assert!(!self.verify().ok, "{sql}");
            assert!(!self.repair(false).ok, "{sql}");
            assert!(!self.verify().ok, "{sql}");
            let restore = "DELETE FROM agent_soul_revisions; INSERT INTO agent_soul_revisions SELECT * FROM kept;";
            self.database.execute_batch(restore).unwrap();
            assert!(self.verify().ok, "{sql}");
        }
    }
}

#[test]
fn two_that_wrote_over_one_revision_are_accepted_on_record() {
    let broken = Broken::new();
    let third = append(&broken.store, Action::Adopt, "Third.\n", broken.second.sealed.new_digest, &broken.second);
    append(&broken.store, Action::Adopt, "Fourth.\n", broken.second.sealed.new_digest, &third);
    broken.assert_repaired(1, 0);
}

#[test]
fn a_change_that_is_stuck_inside_the_record_is_kept() {
    let broken = Broken::new();
    let stuck = append(&broken.store, Action::Put, "Third.\n", broken.second.sealed.new_digest, &broken.second);
    broken.set("done", &stuck);
    append(&broken.store, Action::Adopt, "Fourth.\n", broken.second.sealed.new_digest, &stuck);
    broken.set("pending", &stuck);
    assert_eq!(broken.store.tail(&key()).unwrap().stuck.len(), 1);
    let doctor = run(&broken.home.keeper(), doctor::Request {}).unwrap().checks;
    assert!(doctor.iter().any(|check| check.message.contains("cut off inside the record")), "{doctor:?}");
    broken.assert_repaired(1, 1);
    let bodies: Vec<_> = revisions(&broken.home.keeper(), 9).into_iter().filter_map(|entry| entry.body).collect();
    assert!(bodies.contains(&"Third.\n".to_owned()));
}

#[test]
fn a_gap_is_accepted_only_where_a_change_was_dropped() {
    let broken = Broken::new();
    let lost = append(&broken.store, Action::Put, "Third.\n", broken.second.sealed.new_digest, &broken.second);
    broken.set("done", &lost);
    append(&broken.store, Action::Adopt, "Fourth.\n", broken.second.sealed.new_digest, &lost);
    broken.set("pending", &lost);
    assert!(broken.store.settle_revision(&lost, Settled::Dropped, lost.sealed.created_at).unwrap());
    broken.assert_repaired(1, 0);
}

#[test]
fn what_was_changed_afterwards_is_never_repaired() {
    for sql in [
        "UPDATE agent_soul_revisions SET actor_ref = 'somebody' WHERE seq = 2",
        "UPDATE agent_soul_revisions SET body = x'00' WHERE seq = 2",
        "UPDATE agent_soul_revisions SET new_digest = 'nonsense' WHERE seq = 2",
        "DELETE FROM agent_soul_revisions WHERE seq = 2",
    ] {
        let broken = Broken::new();
        append(&broken.store, Action::Adopt, "Third.\n", broken.second.sealed.new_digest, &broken.second);
        assert_eq!(broken.first.sealed.seq, 1);
        assert_eq!(broken.database.execute(sql, []).unwrap(), 1);
        let refused = broken.repair(false);
        assert!(!refused.ok && refused.unrepairable.len() == 1, "{sql}: {refused:?}");
        assert!(!broken.verify().ok, "{sql}");
    }
}
