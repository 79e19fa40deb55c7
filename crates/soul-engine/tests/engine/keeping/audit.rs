use rusqlite::Connection;
use serde_json::json;
use soul_engine::fields::Lease;
use soul_engine::ops::{session, task, token};
use soul_engine::store::Role;
use soul_engine::workspace::AgentName;

use super::*;

/// A home with two agents, and a row of everything that is sealed.
fn filled() -> Home {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::create_dir(home.0.path().join("agents/helper")).unwrap();
    fs::write(home.0.path().join("agents/helper/SOUL.md"), TWO).unwrap();
    for name in ["coder", "helper"] {
        let agent: AgentName = name.parse().unwrap();
        let started = run(&keeper, session::start::Request { agent: Some(agent), soul: None }).unwrap();
        run(&keeper, task::add::Request { agent: None, payload: json!({ "do": name }) }).unwrap();
        let session_id = started.response.session.id;
        run(&keeper, task::claim::Request { session_id, lease_seconds: Lease::default() }).unwrap().run.unwrap();
    }
    run(&keeper, token::create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None }).unwrap();
    home
}

#[test]
fn a_changed_row_is_named() {
    let rows = [
        ("agent_soul_revisions", "DELETE FROM agent_soul_snapshot_files; DELETE FROM agent_soul_snapshots"),
        ("agent_soul_revisions", "UPDATE agent_soul_snapshots SET state = 'pending'"),
        (
            "sessions",
            "UPDATE sessions SET soul_snapshot_id = (SELECT soul_snapshot_id FROM sessions WHERE name = 'helper')",
        ),
        (
            "sessions",
            "UPDATE sessions SET (soul_snapshot_id, soul_digest) = \
             (SELECT soul_snapshot_id, soul_digest FROM sessions WHERE name = 'helper')",
        ),
        ("sessions", "UPDATE sessions SET soul_digest = 'sha256:' || hex(zeroblob(32)) WHERE name = 'coder'"),
        ("sessions", "UPDATE sessions SET persona_json = '{}' WHERE name = 'coder'"),
        ("sessions", "UPDATE sessions SET surroundings_json = '{}' WHERE name = 'coder'"),
        (
            "sessions",
            "UPDATE sessions SET soul_source_json = '{\"id\":\"x\",\"reason\":\"selected\"}' WHERE name = 'coder'",
        ),
        ("sessions", "UPDATE sessions SET seal = '' WHERE name = 'coder'"),
        ("sessions", "UPDATE sessions SET id = CAST(x'ff41' AS TEXT) WHERE name = 'coder'"),
        ("sessions", "DELETE FROM sessions WHERE name = 'coder'"),
        ("task_runs", "UPDATE task_runs SET metadata_json = json_set(metadata_json, '$.soul.agent_name', 'helper')"),
        ("task_runs", "UPDATE task_runs SET metadata_json = '{}'"),
        ("task_runs", "UPDATE task_runs SET lease_expires_at = '2036-11-16T09:56:58.984740Z'"),
        ("task_runs", "UPDATE task_runs SET lease_deadline = lease_deadline + 1"),
        ("task_runs", "UPDATE task_runs SET state = 'done'"),
        ("task_runs", "DELETE FROM task_runs"),
        ("tasks", "DELETE FROM task_runs; DELETE FROM tasks"),
        (
            "persona_states",
            "INSERT INTO persona_states (scope, kind, name, state_json) VALUES ('home', 'agent', 'coder', '{')",
        ),
        ("tokens", "UPDATE tokens SET role = 'admin'"),
        ("tokens", "UPDATE tokens SET grants = 'soul.read soul.write soul.admin'"),
        ("tokens", "UPDATE tokens SET proof = zeroblob(32)"),
        ("tokens", "UPDATE tokens SET name = 'ci'"),
        ("tokens", "DELETE FROM tokens"),
    ];
    let home = filled();
    assert!(verified(&home.keeper()).unwrap().ok);
    let whole = fs::read(home.store_file()).unwrap();
    for (table, sql) in rows {
        fs::write(home.store_file(), &whole).unwrap();
        let database = Connection::open(home.store_file()).unwrap();
        database.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).unwrap();
        drop(database);
        let audit = verified(&home.keeper()).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(!audit.ok && audit.problem.is_some(), "{sql}");
        assert!(
            audit.problems.iter().any(|problem| problem.table == table && !problem.id.is_empty()),
            "{sql}: {audit:?}"
        );
        assert!(!broken(&home.keeper()).is_empty(), "{sql}");
    }
    // A revision whose id is no text is named like any other.
    fs::write(home.store_file(), &whole).unwrap();
    let database = Connection::open(home.store_file()).unwrap();
    database.execute_batch("UPDATE agent_soul_revisions SET id = CAST(x'ff41' AS TEXT)").unwrap();
    drop(database);
    let audit = verified(&home.keeper()).unwrap();
    assert_eq!(audit.first_broken.map(|id| id.as_str().to_owned()).as_deref(), Some("\u{fffd}A"));
}

#[test]
fn a_missing_table_is_told() {
    let home = filled();
    Connection::open(home.store_file()).unwrap().execute_batch("DROP TABLE persona_budgets").unwrap();
    assert!(broken(&home.keeper()).iter().any(|(message, _)| message.contains("persona_budgets")));
}

/// A change seals a row anew, and must not seal what someone else has put there.
#[test]
fn a_changed_row_is_not_sealed_again_and_a_changed_token_grants_nothing() {
    let home = filled();
    let keeper = home.keeper();
    let made = run(&keeper, token::create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None })
        .unwrap();
    assert!(soul_engine::tokens::authenticate(&keeper, &made.secret).unwrap().is_some());
    let database = Connection::open(home.store_file()).unwrap();
    database.execute_batch("UPDATE tokens SET role = 'admin', grants = 'soul.admin'; UPDATE sessions SET persona_json = '{}'; UPDATE task_runs SET metadata_json = '{}'").unwrap();
    assert!(soul_engine::tokens::authenticate(&keeper, &made.secret).is_err());
    let sessions = run(&keeper, session::list::Request { agent: Some(coder()), ..Default::default() });
    // What is no persona is damage already; the ids are the same.
    drop(sessions);
    let id: String = database.query_row("SELECT id FROM sessions WHERE name = 'coder'", [], |row| row.get(0)).unwrap();
    assert_eq!(code(run(&keeper, session::stop::Request { session_id: id.into() })), Some("store_damaged"));
    let run_id: String = database.query_row("SELECT id FROM task_runs LIMIT 1", [], |row| row.get(0)).unwrap();
    assert_eq!(
        code(run(&keeper, task::finish::Request { run_id: run_id.into(), failed: false })),
        Some("store_damaged")
    );
}
