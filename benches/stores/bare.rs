//! The statements that an operation cannot do without, and nothing else.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use postgres::types::private::BytesMut;
use postgres::types::{IsNull, Type, to_sql_checked};
use postgres::{Client, NoTls, Statement};

/// A value of a statement.
#[derive(Debug, Clone)]
pub(crate) enum V<'a> {
    T(&'a str),
    S(String),
    I(i64),
    B(&'a [u8]),
    N,
}

pub(crate) trait Bare {
    /// Begins a transaction; `durable` if its commit must be on the disk.
    fn begin(&mut self, durable: bool);
    fn commit(&mut self);
    /// Runs a prepared statement, reads every column of what comes back, and returns how many rows there were.
    fn run(&mut self, statement: &str, values: &[V<'_>]) -> usize;
    /// Ends a query that claims a row.
    fn locking(&self) -> &'static str;
    /// Puts a text where it belongs.
    fn replace(&mut self, text: &[u8]);
    fn read_text(&mut self);
}

pub(crate) struct Sqlite {
    database: rusqlite::Connection,
    folder: PathBuf,
}

impl Sqlite {
    pub(crate) fn new(file: &Path) -> Self {
        let database = rusqlite::Connection::open(file).unwrap();
        database.execute_batch("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON").unwrap();
        Self { database, folder: file.parent().unwrap().to_path_buf() }
    }
}

impl rusqlite::ToSql for V<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, ValueRef};
        Ok(ToSqlOutput::Borrowed(match self {
            V::T(text) => ValueRef::Text(text.as_bytes()),
            V::S(text) => ValueRef::Text(text.as_bytes()),
            V::I(number) => ValueRef::Integer(*number),
            V::B(bytes) => ValueRef::Blob(bytes),
            V::N => ValueRef::Null,
        }))
    }
}

impl Bare for Sqlite {
    fn begin(&mut self, durable: bool) {
        let durable = if durable { "FULL" } else { "NORMAL" };
        self.database.execute_batch(&format!("PRAGMA synchronous = {durable}; BEGIN IMMEDIATE")).unwrap();
    }

    fn commit(&mut self) {
        self.database.execute_batch("COMMIT").unwrap();
    }

    fn run(&mut self, statement: &str, values: &[V<'_>]) -> usize {
        let mut statement = self.database.prepare_cached(statement).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(values)).unwrap();
        let mut count = 0;
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                std::hint::black_box(row.get::<_, rusqlite::types::Value>(column).unwrap());
            }
            count += 1;
        }
        count
    }

    fn locking(&self) -> &'static str {
        ""
    }

    fn replace(&mut self, text: &[u8]) {
        let staged = self.folder.join("staged");
        let mut file = File::create(&staged).unwrap();
        file.write_all(text).unwrap();
        file.sync_all().unwrap();
        fs::rename(&staged, self.folder.join("SOUL.md")).unwrap();
        File::open(&self.folder).unwrap().sync_all().unwrap();
    }

    fn read_text(&mut self) {
        std::hint::black_box(fs::read(self.folder.join("SOUL.md")).unwrap());
    }
}

pub(crate) struct Postgres {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    pub(crate) fn new(url: &str) -> Self {
        Self { client: Client::connect(url, NoTls).unwrap(), statements: HashMap::new() }
    }
}

impl postgres::types::ToSql for V<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            V::T(text) => text.to_sql(of, out),
            V::S(text) => text.to_sql(of, out),
            V::I(number) => number.to_sql(of, out),
            V::B(bytes) => bytes.to_sql(of, out),
            V::N => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Bare for Postgres {
    fn begin(&mut self, _: bool) {
        self.client.batch_execute("BEGIN; SELECT pg_advisory_xact_lock(7)").unwrap();
    }

    fn commit(&mut self) {
        self.client.batch_execute("COMMIT").unwrap();
    }

    fn run(&mut self, statement: &str, values: &[V<'_>]) -> usize {
        if !self.statements.contains_key(statement) {
            let prepared = self.client.prepare(statement).unwrap();
            self.statements.insert(statement.to_owned(), prepared);
        }
        let values: Vec<&(dyn postgres::types::ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self.client.query(&self.statements[statement], &values).unwrap();
        for row in &rows {
            for column in 0..row.len() {
                std::hint::black_box(row.try_get::<_, Option<String>>(column).ok());
            }
        }
        rows.len()
    }

    fn locking(&self) -> &'static str {
        " FOR UPDATE SKIP LOCKED"
    }

    fn replace(&mut self, text: &[u8]) {
        let update = "UPDATE soul_texts SET body = $1, changed_at = $2, xid = pg_current_xact_id() \
                      WHERE scope = $3 AND kind = $4 AND name = $5 AND file = $6";
        self.run(update, &[V::B(text), V::T(TIME), V::T("home"), V::T("agent"), V::T("reviewer"), V::T("SOUL.md")]);
    }

    fn read_text(&mut self) {
        self.run("SELECT pg_current_snapshot()::text", &[]);
    }
}

const TIME: &str = "2026-11-16T09:56:59.000000Z";
const DIGEST: &str = "sha256:5c8a4ee694ee83769d29d82c9fae4b5e8cfd1b1980fe1fdd339fb848ad5d8c44";
const REVISION: &str = "id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, \
    snapshot_id, idempotency_key, request_digest, actor_kind, actor_ref, origin_kind, origin_ref, created_at, chain, \
    reason, chain_version, message";

/// The first soul and a session.
pub(crate) fn prepare(bare: &mut dyn Bare, text: &[u8]) {
    if bare.locking().is_empty() {
        bare.replace(text);
    } else {
        bare.run(
            "INSERT INTO soul_texts (scope, kind, name, file, changed_at, body) \
             VALUES ('home', 'agent', 'reviewer', 'SOUL.md', $1, $2)",
            &[V::T(TIME), V::B(text)],
        );
    }
    write(bare, 1, text);
    bare.run(
        "INSERT INTO sessions (id, scope, kind, name, state, soul_status, created_at, captured_at, surroundings_json) \
         VALUES ('sess', 'home', 'agent', 'reviewer', 'active', 'missing', $1, $1, '{}')",
        &[V::T(TIME)],
    );
}

fn event(bare: &mut dyn Bare, kind: &str) {
    let values = [TIME, kind, "home", "reviewer", DIGEST, "rev", "sess", "task", "run", "user", "bench", "bench", "op"];
    let values: Vec<_> = values.into_iter().map(V::T).chain([V::N, V::N, V::N]).collect();
    bare.run(
        "INSERT INTO events (time, kind, scope, agent, digest, revision_id, session_id, task_id, run_id, actor_kind, \
         actor_ref, origin_kind, origin_ref, soul, token_id, findings_json) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        &values,
    );
}

/// A revision is recorded with its snapshot, the text is put in place, and the revision is settled.
pub(crate) fn write(bare: &mut dyn Bare, seq: i64, text: &[u8]) {
    let (id, snapshot, digest) = (format!("rev_{seq:026}"), format!("snap_{seq:026}"), format!("sha256:{seq:064}"));
    let key = [V::T("home"), V::T("agent"), V::T("reviewer")];
    bare.begin(true);
    bare.run(
        "SELECT seq, chain, state FROM agent_soul_revisions WHERE scope = $1 AND kind = $2 AND name = $3 \
         ORDER BY seq DESC LIMIT 1",
        &key,
    );
    bare.run(
        "INSERT INTO agent_soul_snapshots (id, scope, kind, name, digest, bundle_digest, config_digest, profile_json, \
         seal, created_at, state) VALUES ($1, $2, $3, $4, $5, $5, $5, '{}', $5, $6, 'pending')",
        &[V::T(&snapshot), V::T("home"), V::T("agent"), V::T("reviewer"), V::T(&digest), V::T(TIME)],
    );
    bare.run(
        "INSERT INTO agent_soul_snapshot_files (snapshot_id, name, body) VALUES ($1, $2, $3)",
        &[V::T(&snapshot), V::T("SOUL.md"), V::B(text)],
    );
    let insert = format!(
        "INSERT INTO agent_soul_revisions ({REVISION}, state, body) VALUES ($1, 'home', 'agent', 'reviewer', $2, 'put', \
         $3, $3, $3, 'agh', $4, NULL, $3, 'user', 'bench', 'bench', 'write', $5, $3, NULL, 2, NULL, 'pending', $6)"
    );
    bare.run(&insert, &[V::T(&id), V::I(seq), V::T(&digest), V::T(&snapshot), V::T(TIME), V::B(text)]);
    bare.commit();
    let is_file = bare.locking().is_empty();
    if is_file {
        bare.replace(text);
    }
    bare.begin(!is_file);
    if !is_file {
        bare.replace(text);
    }
    bare.run("UPDATE agent_soul_revisions SET state = 'done' WHERE id = $1 AND state = 'pending'", &[V::T(&id)]);
    bare.run("UPDATE agent_soul_snapshots SET state = 'done' WHERE id = $1", &[V::T(&snapshot)]);
    event(bare, "soul.put");
    bare.commit();
}

pub(crate) fn add_task(bare: &mut dyn Bare, n: usize) {
    let task = format!("task_{n:026}");
    bare.run(
        "INSERT INTO tasks (id, payload_json, state, created_at) VALUES ($1, '{}', 'queued', $2)",
        &[V::T(&task), V::T(TIME)],
    );
}

/// The oldest task becomes a run.
pub(crate) fn claim(bare: &mut dyn Bare, n: usize) {
    let (run, task) = (format!("run_{n:026}"), format!("task_{n:026}"));
    bare.begin(false);
    bare.run(
        "SELECT id, scope, kind, name, state, soul_snapshot_id, soul_digest, seal FROM sessions WHERE id = 'sess'",
        &[],
    );
    let expired = "SELECT id, task_id, session_id FROM task_runs WHERE state = 'claimed' AND lease_expires_at <= $1";
    bare.run(&format!("{expired}{}", bare.locking()), &[V::T(TIME)]);
    let next = "SELECT id, payload_json FROM tasks WHERE state = 'queued' AND agent IS NULL ORDER BY seq LIMIT 1";
    assert_eq!(bare.run(&format!("{next}{}", bare.locking()), &[]), 1);
    bare.run(
        "INSERT INTO task_runs (id, task_id, session_id, state, metadata_json, lease_expires_at, claimed_at, seal) \
         VALUES ($1, $2, 'sess', 'claimed', '{}', '2036', $3, $4)",
        &[V::T(&run), V::T(&task), V::T(TIME), V::T(DIGEST)],
    );
    bare.run("UPDATE tasks SET state = 'claimed' WHERE id = $1", &[V::T(&task)]);
    event(bare, "run.claim");
    bare.commit();
}

pub(crate) fn history(bare: &mut dyn Bare) {
    let page = format!(
        "SELECT {REVISION} FROM agent_soul_revisions WHERE scope = $1 AND kind = $2 AND name = $3 AND seq < $4 \
         AND state = 'done' ORDER BY seq DESC LIMIT 50"
    );
    let count = bare.run(&page, &[V::T("home"), V::T("agent"), V::T("reviewer"), V::I(i64::MAX)]);
    assert_eq!(count, 50);
}

/// Which dialect the soul is pinned to, what has changed its persona, and its text.
pub(crate) fn context(bare: &mut dyn Bare) {
    let key = [V::T("home"), V::T("agent"), V::T("reviewer")];
    bare.read_text();
    bare.run(
        "SELECT dialect FROM agent_soul_revisions WHERE scope = $1 AND kind = $2 AND name = $3 AND state = 'done' \
         ORDER BY seq DESC LIMIT 1",
        &key,
    );
    bare.run("SELECT state_json FROM persona_states WHERE scope = $1 AND kind = $2 AND name = $3", &key);
}
