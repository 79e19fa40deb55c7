//! What is wrong with the file and its rows, besides the chains.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use soul_core::persona::State;

use super::{Error, schema, seals};
use crate::store::statements as sql;
use crate::store::{Problem, SoulSource};

/// Every table of a store.
const TABLES: [&str; 12] = [
    "agent_soul_revisions",
    "agent_soul_snapshot_files",
    "agent_soul_snapshots",
    "events",
    "persona_budgets",
    "persona_mutations",
    "persona_states",
    "sessions",
    "settings",
    "task_runs",
    "tasks",
    "tokens",
];

/// Tables that the fourth version added.
const TABLES_SINCE_4: [&str; 4] = ["chain_repairs", "pending_places", "soul_forks", "workspace_places"];

/// What the database itself finds wrong, and tables that are missing.
pub(super) fn database(connection: &Connection) -> Result<Vec<String>, Error> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut problems: Vec<String> = lines.into_iter().filter(|line| line != "ok").collect();
    let mut statement = connection.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'")?;
    let tables = statement.query_map([], |row| row.get(0))?.collect::<Result<BTreeSet<String>, _>>()?;
    let added: &[&str] = if schema::version(connection)? >= 4 { &TABLES_SINCE_4 } else { &[] };
    let missing = TABLES.iter().chain(added).filter(|table| !tables.contains(**table));
    problems.extend(missing.map(|table| format!("the table {table} is missing")));
    Ok(problems)
}

/// Rows that are not as they were written, or that refer to what is not there.
pub(super) fn rows(connection: &Connection) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    for (table, query, problem) in sql::DANGLING {
        let mut statement = connection.prepare(query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            problems.push(problem_of(table, shown(row, 0), problem));
        }
    }
    sessions(connection, &mut problems)?;
    personas(connection, &mut problems)?;
    if schema::is_sealed(connection)? {
        seals::broken(connection, &mut problems)?;
    }
    foreign_keys(connection, &mut problems)?;
    Ok(problems)
}

/// A session and its snapshot must be of one soul, and of one digest.
fn sessions(connection: &Connection, problems: &mut Vec<Problem>) -> Result<(), Error> {
    let mut statement = connection.prepare(sql::BOUND_SESSIONS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let [kind, name, digest, source] = [1, 2, 3, 4].map(|column| text(row, column));
        let [of_kind, of_name, of_digest] = [5, 6, 7].map(|column| text(row, column));
        let source: Option<SoulSource> = source.and_then(|source| serde_json::from_str(&source).ok());
        let is_library =
            source.is_some_and(|source| of_kind.as_deref() == Some("library") && of_name == Some(source.id));
        let problem = if digest != of_digest {
            "its digest is not that of its snapshot"
        } else if (&kind, &name) != (&of_kind, &of_name) && !is_library {
            "its snapshot is of another soul"
        } else {
            continue;
        };
        problems.push(problem_of("sessions", shown(row, 0), problem));
    }
    Ok(())
}

/// The state of a persona must be one: every prompt of its agent needs it.
fn personas(connection: &Connection, problems: &mut Vec<Problem>) -> Result<(), Error> {
    let mut statement =
        connection.prepare("SELECT scope || '/' || kind || '/' || name, state_json FROM persona_states")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let state: Option<State> = text(row, 1).and_then(|state| serde_json::from_str(&state).ok());
        if state.is_none() {
            problems.push(problem_of("persona_states", shown(row, 0), "its state cannot be read"));
        }
    }
    Ok(())
}

fn foreign_keys(connection: &Connection, problems: &mut Vec<Problem>) -> Result<(), Error> {
    let mut statement = connection.prepare("PRAGMA main.foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        let id = match row.get::<_, Option<i64>>(1)? {
            // The name of the table is one that the database gave us.
            Some(rowid) => connection
                .query_row(&format!("SELECT id FROM main.{table} WHERE rowid = $1"), [rowid], |row| Ok(shown(row, 0)))
                .unwrap_or_else(|_| format!("row {rowid}")),
            None => "?".to_owned(),
        };
        problems.push(problem_of(&table, id, &format!("it refers to a missing row of {parent}")));
    }
    Ok(())
}

/// Copies everything into a new file.
pub(super) fn copy(connection: &Connection, file: &Path) -> Result<(), Error> {
    let file = file.to_str().ok_or_else(|| Error::Failed("the path of the copy is not text".into()))?;
    // The one thing that a reader writes, and not into the store.
    connection.pragma_update(None, "query_only", false)?;
    let copied = connection.execute("VACUUM main INTO $1", [file]);
    connection.pragma_update(None, "query_only", true)?;
    Ok(copied.map(drop)?)
}

fn problem_of(table: &str, id: String, problem: &str) -> Problem {
    Problem { table: table.to_owned(), id, problem: problem.to_owned() }
}

/// A value for people, whatever it is.
pub(super) fn shown(row: &Row<'_>, column: usize) -> String {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => soul_core::text::visible(&String::from_utf8_lossy(bytes)),
        Ok(ValueRef::Integer(number)) => number.to_string(),
        _ => "?".to_owned(),
    }
}

fn text(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes)) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    }
}
