//! What the database finds wrong with the file.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::{Error, schema};
use crate::store::Problem;
use crate::store::checks::problem_of;
use crate::store::tables::TABLES;

/// Tables that a later version than the first added.
const ADDED: [(&str, i64); 7] = [
    ("chain_repairs", 4),
    ("pending_places", 4),
    ("soul_forks", 4),
    ("workspace_places", 4),
    ("soul_texts", 6),
    ("proposals", 7),
    ("session_receipts", 9),
];

/// What the database itself finds wrong, and tables that are missing.
pub(super) fn database(connection: &Connection) -> Result<Vec<String>, Error> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut problems: Vec<String> = lines.into_iter().filter(|line| line != "ok").collect();
    let mut statement = connection.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'")?;
    let tables = statement.query_map([], |row| row.get(0))?.collect::<Result<BTreeSet<String>, _>>()?;
    let version = schema::version(connection)?;
    let is_later = |name: &str| ADDED.iter().any(|(added, since)| *added == name && *since > version);
    let missing = TABLES.iter().map(|table| table.name).filter(|name| !is_later(name) && !tables.contains(*name));
    problems.extend(missing.map(|table| format!("the table {table} is missing")));
    Ok(problems)
}

/// Rows that refer to what is not there.
pub(super) fn foreign_keys(connection: &Connection) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
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
    Ok(problems)
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

/// A value for people, whatever it is.
fn shown(row: &Row<'_>, column: usize) -> String {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => soul_core::text::visible(&String::from_utf8_lossy(bytes)),
        Ok(ValueRef::Integer(number)) => number.to_string(),
        _ => "?".to_owned(),
    }
}
