//! Writing the rows of one store into another.

use super::claim::{Claim, Last};
use super::rows::{Page, page};
use crate::context::Progress;
use crate::store::sql::{Alone, Durable, Engine, Sql, Value};
use crate::store::tables::{TABLES, Table};
use crate::store::{Error, counts};

/// How many rows one statement inserts.
const TOGETHER: usize = 50;

/// Copies every row that the target does not have yet, table by table. Each page is one transaction, with the note of
/// how far it goes.
pub(super) fn rows<T: Engine>(
    from: &dyn Sql,
    target: &T,
    mut claim: Claim,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let total = usize::try_from(counts::all(from)?.iter().map(|(_, rows)| rows).sum::<u64>()).ok();
    let begin = claim.last.as_ref().and_then(|last| TABLES.iter().position(|table| table.name == last.table));
    let before = counts::all(from)?.iter().take(begin.unwrap_or(0)).map(|(_, rows)| *rows).sum::<u64>();
    progress.advance("rows copied", usize::try_from(before).unwrap_or(0), total);
    for table in &TABLES[begin.unwrap_or(0)..] {
        let mut after = claim.last.as_ref().filter(|last| last.table == table.name).map(|last| last.key.clone());
        loop {
            let Page { rows, last } = page(from, table, after.as_ref())?;
            let Some(last) = last else { break };
            claim.last = Some(Last { table: table.name.to_owned(), key: last.clone() });
            target.write(Alone::Rows, Durable::Soon, |db| {
                insert(db, table, &rows)?;
                claim.write(db)
            })?;
            progress.advance("rows copied", rows.len(), total);
            after = Some(last);
        }
        if let Some(column) = table.refers_to_own {
            refer(from, target, table, column)?;
        }
    }
    Ok(())
}

fn insert(db: &dyn Sql, table: &Table, rows: &[Vec<Value<'static>>]) -> Result<(), Error> {
    let own = table.refers_to_own.and_then(|column| table.columns().position(|other| other == column));
    // A row that it refers to may not be there yet.
    let values = |row: &Vec<Value<'static>>| {
        let value = |(n, value): (usize, &Value<'static>)| if own == Some(n) { Value::Null } else { value.clone() };
        row.iter().enumerate().map(value).collect::<Vec<_>>()
    };
    let chunks = rows.chunks_exact(TOGETHER);
    let single = chunks.remainder().chunks_exact(1);
    for chunk in chunks.chain(single) {
        let values: Vec<_> = chunk.iter().flat_map(values).collect();
        db.run(&statement(table, chunk.len()), &values)?;
    }
    Ok(())
}

fn statement(table: &Table, rows: usize) -> String {
    let columns: Vec<_> = table.columns().collect();
    let row = |n: usize| {
        let numbered: Vec<_> = (1..=columns.len()).map(|column| format!("${}", n * columns.len() + column)).collect();
        format!("({})", numbered.join(", "))
    };
    let all: Vec<_> = (0..rows).map(row).collect();
    let (name, columns) = (table.name, columns.join(", "));
    format!("INSERT INTO {name} ({columns}) VALUES {} ON CONFLICT DO NOTHING", all.join(", "))
}

/// Sets the references of rows to others of the same table, now that all of them are there.
fn refer<T: Engine>(from: &dyn Sql, target: &T, table: &Table, column: &str) -> Result<(), Error> {
    let Some(place) = table.columns().position(|other| other == column) else { return Ok(()) };
    let (name, key) = (table.name, table.key[0]);
    let statement = format!("UPDATE {name} SET {column} = $1 WHERE {key} = $2 AND {column} IS NULL");
    let mut after = None;
    loop {
        let Page { rows, last } = page(from, table, after.as_ref())?;
        if last.is_none() {
            return Ok(());
        }
        target.write(Alone::Rows, Durable::Soon, |db| {
            for row in rows.iter().filter(|row| row[place] != Value::Null) {
                db.run(&statement, &[row[place].clone(), row[0].clone()])?;
            }
            Ok::<_, Error>(())
        })?;
        after = last;
    }
}
