//! Stores of earlier versions: they open, verify, tell what they told, migrate, and go on.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use soul_core::digest::Digest;
use soul_engine::Keeper;
use soul_engine::fields::ExpectedDigest;
use soul_engine::ids::{SessionId, TaskId, TokenId};
use soul_engine::ops::audit::verify;
use soul_engine::ops::{prompt, write};
use soul_engine::souls::Subject;
use soul_engine::store::{
    Action, ChainVersion, Draft, EventFilter, EventKind, Role, SessionState, Sqlite, Store, TaskState,
};
use soul_engine::workspace::{Kind, Roots, SoulKey};

use super::run;

/// A copy of the home and the workspace of schema 1.
pub(super) struct Old(tempfile::TempDir);

impl Old {
    pub(super) fn new() -> Self {
        let old = Self(tempfile::tempdir().unwrap());
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        copy(&fixtures.join("keeper-1"), old.0.path());
        fs::copy(fixtures.join("keeper-1.db"), old.store_file()).unwrap();
        old
    }

    pub(super) fn store_file(&self) -> PathBuf {
        self.0.path().join("home/keeper.db")
    }

    fn keeper(&self) -> Keeper {
        let (home, workspace) = (self.0.path().join("home"), self.0.path().join("workspace"));
        Keeper::open(Roots { workspace: Some(workspace), home: Some(home), user: None }).unwrap()
    }

    fn schema(&self) -> i64 {
        let connection = Connection::open(self.store_file()).unwrap();
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(super) fn agent(name: &str) -> SoulKey {
    SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: name.to_owned() }
}

fn library(name: &str) -> SoulKey {
    SoulKey { kind: Kind::Library, ..agent(name) }
}

fn audited(keeper: &Keeper) -> verify::Response {
    run(keeper, verify::Request::default()).unwrap()
}

const MUSE: &str = "sess_01M7HWKQBRDKCMFD7XPFF21AR7";
const ADA: &str = "sess_01M7HWKQCJ9T711VPDHJWS1QEA";
const WORKSPACE: &str = "ws_01M7HWKPXMBY4F0Y4KDS2XC0R4";

/// As `soul audit verify` printed them when the store was made.
const HEADS: [(&str, i64, &str); 8] = [
    ("home/agent/ada", 6, "sha256:6c773bfb3589d3429524d8705574b4d2254891ede84b6bfa1d0b90fb12d62954"),
    ("home/agent/muse", 1, "sha256:d9b0c76c64e119edf411eb3faeda7e600a4e037007accc232e4cfe827a8391f5"),
    ("home/agent/renée", 1, "sha256:b0521ccfd79f9e448c4565ed5a62b6a360f6b5baa0a848b78b1e1db326c46747"),
    ("home/agent/risky", 1, "sha256:c6659750d8648dcc1213b8f6a21f4bdbff0c593853fa2a1b0048a2a06ad88b0d"),
    ("home/library/default", 1, "sha256:ff723ad3f83780e89dd3eae8a74f2ef6a8e31aa375caec4fdd39f12d151353cd"),
    ("home/library/gone", 2, "sha256:af50bd3861be3a18eba6ae667acce375d58d4bc81b6c0906535deea6a78ce511"),
    ("home/library/ops", 2, "sha256:72c52f66ff7aa8f75a7f4c87e3abc02cdd86874377f0a362bcb25166970180d5"),
    (
        "ws_01M7HWKPXMBY4F0Y4KDS2XC0R4/agent/coder",
        1,
        "sha256:5f24d5e205c3f1ee2be458702d5ca2b69247f9526d46ba16f9d3b1c4211a9619",
    ),
];

fn assert_verified(keeper: &Keeper) {
    let audit = audited(keeper);
    assert!(audit.ok, "{audit:?}");
    assert_eq!((audit.revisions, audit.snapshots), (15, 12));
    let heads: Vec<_> =
        audit.heads.iter().map(|head| (head.key.to_string(), head.seq, head.chain.to_string())).collect();
    let expected: Vec<_> =
        HEADS.iter().map(|(key, seq, chain)| ((*key).to_owned(), *seq, (*chain).to_owned())).collect();
    assert_eq!(heads, expected);
}

#[test]
fn a_store_of_schema_1_verifies_and_migrates() {
    let old = Old::new();
    assert_eq!(old.schema(), 1);
    let keeper = old.keeper();
    assert_verified(&keeper);
    assert_eq!(old.schema(), 9);
    assert_verified(&old.keeper());
    assert_eq!(Sqlite::open(&old.store_file()).unwrap().check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_store_of_schema_1_can_be_read_where_it_cannot_be_migrated() {
    let old = Old::new();
    let store = Sqlite::open_to_read(&old.store_file()).unwrap();
    assert_told(&store);
    assert_eq!(old.schema(), 1);
}

#[test]
fn a_store_of_schema_1_tells_what_it_told() {
    let old = Old::new();
    assert_told(&Sqlite::open(&old.store_file()).unwrap());
    let said = |id: &str| {
        let subject = Subject::Session(SessionId::from(id.to_owned()));
        let identity = prompt::Request { layer: prompt::Part::Identity, ..prompt::Request::new(subject) };
        run(&old.keeper(), identity).unwrap().text
    };
    assert_eq!(said(MUSE), "Muse has ideas.");
    assert_eq!(
        said(ADA),
        "<agh-agent-soul>\n# Agent Soul\n\nSnapshot ID: snap_01M7HWKPF0XW5F070MJKTDH6GW\n\
         Digest: sha256:372212fc7a0db96a6cf95cabfd11157411e30888157284397ad4ecb1dcec4481\n\
         Source: agents/ada/SOUL.md\nRole: Guide\nTone:\n- calm\nPrinciples:\n- Read before you answer.\n\n\
         ## Body\nAda guides people.\n</agh-agent-soul>"
    );
}

/// Everything that was recorded, through today's queries.
fn assert_told(store: &dyn Store) {
    // History, newest first, with its texts.
    let history = store.history(&agent("ada"), None, 99, true).unwrap();
    let told: Vec<_> =
        history.iter().map(|one| (one.sealed.seq, one.sealed.action, one.sealed.actor.name.as_str())).collect();
    use Action::{Adopt, Delete, Put, Rollback};
    let expected = [
        (6, Rollback, "Zoë"),
        (5, Delete, "max"),
        (4, Put, "max"),
        (3, Adopt, "outside"),
        (2, Put, "ada"),
        (1, Put, "Zoë"),
    ];
    assert_eq!(told, expected);
    assert!(history.iter().all(|one| one.sealed.chain_version == ChainVersion::V1 && one.sealed.message.is_none()));
    assert!(String::from_utf8_lossy(history[4].body.as_ref().unwrap()).ends_with("old code. Grüße, 世界 🎈\n"));
    assert_eq!(history[5].sealed.created_at.to_string(), "2026-11-16T09:56:58.984740Z");
    let repeated = store.repeated_revision(&agent("ada"), "key \"1\"").unwrap().unwrap();
    assert_eq!(repeated.sealed.id.as_str(), "rev_01M7HWKPF8Z1VT8YBXSYRQG4A1");
    let risky = store.tail(&agent("risky")).unwrap().last.unwrap();
    assert_eq!(risky.sealed.reason.as_deref(), Some("a test of the \"scanner\"\\tin quotes"));
    assert_eq!(store.tail(&library("gone")).unwrap().last.unwrap().sealed.action, Delete);
    assert_eq!(store.souls().unwrap().len(), HEADS.len());

    // Sessions, and what they are bound to.
    let session = |id: &str| store.session(&SessionId::from(id.to_owned())).unwrap().unwrap();
    let (muse, ada) = (session(MUSE), session(ADA));
    assert_eq!(muse.persona.as_ref().and_then(|persona| persona.mood.as_deref()), Some("focused"));
    let digest = muse.soul_digest.as_ref().map(ToString::to_string);
    assert_eq!(digest.as_deref(), Some("sha256:16fa2099b34e83a96e6b99a5cef78e524f1c8c8983995db820a68600a9aa2b6f"));
    assert_eq!((ada.parent_id, ada.parent_soul_digest), (Some(muse.id.clone()), muse.soul_digest));
    assert_eq!(store.surroundings(&muse.id).unwrap().unwrap().user.as_deref(), Some("# User\n\nMax.\n"));
    let snapshot = store.snapshot(muse.soul_snapshot_id.as_ref().unwrap()).unwrap().unwrap();
    assert_eq!((snapshot.key, snapshot.profile.role.as_str()), (agent("muse"), "Muse"));
    assert_eq!(store.sessions(None, Some(SessionState::Active), None, 99).unwrap().len(), 4);
    assert_eq!(store.sessions(Some("coder"), None, None, 9).unwrap()[0].scope, WORKSPACE);
    let ops =
        store.sessions(None, None, None, 99).unwrap().into_iter().find_map(|session| session.soul_source).unwrap();
    assert_eq!((ops.id.as_str(), ops.reason.as_str()), ("ops", "selected"));
    assert_eq!(store.selected_soul().unwrap().as_deref(), Some("ops"));

    // Tasks.
    let tasks = store.tasks(None, None, 9).unwrap().unwrap();
    use TaskState::{Claimed, Done, Failed, Queued};
    assert_eq!(tasks.iter().map(|task| task.state).collect::<Vec<_>>(), [Done, Failed, Claimed, Queued]);
    assert_eq!(tasks[0].payload["text"], "Größe");
    assert_eq!(tasks[0].id, TaskId::from("task_01M7HWKQFT16G105TX06R6S306".to_owned()));

    // Personas.
    let state = store.persona(&agent("muse")).unwrap();
    assert_eq!((state.mutations.len(), state.mood.and_then(|mood| mood.name)), (2, Some("focused".to_owned())));
    let steps = store.mutations(&agent("muse"), None, 9).unwrap();
    let steps: Vec<_> = steps.iter().map(|step| (step.reason.as_str(), step.new, step.reverted_at.is_some())).collect();
    let expected = [
        ("Enough", 0.679_999_999_999_999_9, true),
        ("Kept calm", 0.350_000_000_000_000_03, false),
        ("Asked for ideas", 0.7, false),
    ];
    assert_eq!(steps, expected);

    // Tokens.
    let tokens = store.tokens().unwrap();
    let told: Vec<_> = tokens.iter().map(|token| (token.name.as_deref(), token.role, token.is_live())).collect();
    assert_eq!(told, [(Some("ci"), Role::Viewer, true), (None, Role::Admin, false)]);
    assert!(store.token(&TokenId::from("tok_01M7HWKRWKE22CF6KXHBH9N0N6".to_owned())).unwrap().is_some());

    // Events.
    let events = store.events(&EventFilter::default(), 0, 99).unwrap();
    assert_eq!(
        (events.len(), events[0].event.kind, events[41].event.kind),
        (42, EventKind::Put, EventKind::TokenRevoke)
    );
    assert_eq!(events[17].event.session.as_ref().map(ToString::to_string).as_deref(), Some("one"));
}

#[test]
fn a_store_of_schema_1_goes_on() {
    let old = Old::new();
    let keeper = old.keeper();
    let current = audited(&keeper).heads[0].chain;
    let request = write::Request {
        expected_digest: Some(ExpectedDigest::new(
            "sha256:372212fc7a0db96a6cf95cabfd11157411e30888157284397ad4ecb1dcec4481",
        )),
        ..write::Request::new("ada".parse().unwrap(), "---\nrole: Guide\n---\nAda goes on.\n".into())
    };
    let written = run(&keeper, request).unwrap().revision.sealed;
    assert_eq!((written.seq, written.chain_version), (7, ChainVersion::V1));
    let store = Sqlite::open(&old.store_file()).unwrap();
    let last = store.tail(&agent("ada")).unwrap().last.unwrap();
    assert_eq!(last.chain, last.sealed.chain(Some(current)));

    // One with a message, over the old ones.
    let told = with_message(&store, &agent("ada"));
    assert_eq!((told.sealed.seq, told.sealed.chain_version), (8, ChainVersion::V2));
    assert_eq!(told.chain, told.sealed.chain(Some(last.chain)));
    assert_eq!(store.tail(&agent("ada")).unwrap().last, Some(soul_engine::store::Revision { body: None, ..told }));
    let audit = audited(&keeper);
    assert!(audit.ok && audit.revisions == 17, "{audit:?}");
}

/// Appends a revision that has a message.
fn with_message(store: &dyn Store, key: &SoulKey) -> soul_engine::store::Revision {
    let last = store.tail(key).unwrap().last.unwrap();
    let after = Some(last.link());
    let last = last.sealed;
    let draft = Draft {
        key: key.clone(),
        after,
        place: None,
        action: Action::Adopt,
        previous_digest: last.new_digest,
        new_digest: Some(Digest::of([b"text".as_slice()])),
        body: Some(b"text".to_vec()),
        dialect: None,
        idempotency: None,
        reason: None,
        message: Some("Wärmer im Ton".parse().unwrap()),
        actor: last.actor,
        origin: last.origin,
        now: last.created_at,
    };
    store.append_revision(&draft, None).unwrap().unwrap()
}

/// Every column that a revision is recorded in. `state` is not: a chain cannot show that its end is missing.
const COLUMNS: [&str; 23] = [
    "id",
    "scope",
    "kind",
    "name",
    "seq",
    "action",
    "previous_digest",
    "new_digest",
    "raw_digest",
    "dialect",
    "snapshot_id",
    "idempotency_key",
    "request_digest",
    "actor_kind",
    "actor_ref",
    "origin_kind",
    "origin_ref",
    "created_at",
    "chain",
    "reason",
    "chain_version",
    "message",
    "body",
];

#[test]
fn one_changed_byte_anywhere_in_a_row_breaks_the_chain() {
    let old = Old::new();
    let keeper = old.keeper();
    let store = Sqlite::open(&old.store_file()).unwrap();
    let told = with_message(&store, &agent("ada")).sealed.id;
    let forced = store.tail(&agent("risky")).unwrap().last.unwrap().sealed.id;
    let first = "rev_01M7HWKPF8Z1VT8YBXSYRQG4A1".to_owned().into();
    assert!(audited(&keeper).ok);
    let connection = Connection::open(old.store_file()).unwrap();
    connection.pragma_update(None, "synchronous", "OFF").unwrap();
    let columns: Vec<String> = connection
        .prepare("SELECT name FROM pragma_table_info('agent_soul_revisions') WHERE name <> 'state'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(columns, COLUMNS);
    let mut tried = 0;
    for id in [&first, &forced, &told] {
        let rowed = |column: &str| format!("SELECT {column} FROM agent_soul_revisions WHERE id = '{}'", id.as_str());
        for column in COLUMNS {
            let stored: rusqlite::types::Value = connection.query_row(&rowed(column), [], |row| row.get(0)).unwrap();
            for other in others(column, &stored) {
                // What the table itself refuses cannot be changed unnoticed either.
                let change = format!("UPDATE agent_soul_revisions SET {column} = ?1 WHERE id = ?2");
                if connection.execute(&change, rusqlite::params![other, id.as_str()]).is_err() {
                    continue;
                }
                let audit = audited(&keeper);
                let now = if let ("id", rusqlite::types::Value::Text(other)) = (column, &other) {
                    other
                } else {
                    id.as_str()
                };
                let named = audit.first_broken.as_ref().is_some_and(|broken| broken.as_str() == now);
                assert!(
                    !audit.ok && (named || ["scope", "kind", "name", "seq"].contains(&column)),
                    "{column}: {other:?} {audit:?}"
                );
                connection.execute(&change, rusqlite::params![stored, now]).unwrap();
                tried += 1;
            }
        }
    }
    assert!(audited(&keeper).ok && tried > 1_500, "{tried}");
    println!("tampering: {tried} changes of one byte");
}

/// The same value with one byte changed, at each place; for none, some value.
fn others(column: &str, stored: &rusqlite::types::Value) -> Vec<rusqlite::types::Value> {
    use rusqlite::types::Value;
    let flipped = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let flip =
            |at: usize| bytes.iter().enumerate().map(move |(index, byte)| if index == at { byte ^ 1 } else { *byte });
        (0..bytes.len()).map(|at| flip(at).collect()).collect()
    };
    match stored {
        Value::Integer(number) => vec![Value::Integer(number + 1), Value::Integer(number ^ 3), Value::Integer(-number)],
        Value::Text(text) => {
            let texts = flipped(text.as_bytes()).into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
            let mut texts: Vec<_> = texts.chain([format!("{text} "), text.to_uppercase(), String::new()]).collect();
            texts.retain(|other| other != text);
            texts.into_iter().map(Value::Text).chain([Value::Null]).collect()
        }
        Value::Blob(bytes) => {
            flipped(bytes).into_iter().chain([Vec::new()]).map(Value::Blob).chain([Value::Null]).collect()
        }
        _ if column == "body" => vec![Value::Blob(Vec::new())],
        _ if column.ends_with("_digest") => {
            vec![Value::Text(Digest::of([b"x".as_slice()]).to_string()), Value::Text(String::new())]
        }
        _ => vec![Value::Text("agh".to_owned()), Value::Text(String::new())],
    }
}
