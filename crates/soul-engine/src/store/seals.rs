use std::ops::ControlFlow;

use super::seal::SealedTable;
use super::sql::{Row, Rows, Sql, Value, values};
use super::values::shown;
use super::{Error, Problem};

/// Seals a row as it is now, after the caller has checked its seal.
pub(super) fn set(db: &dyn Sql, table: SealedTable, id: &str) -> Result<(), Error> {
    let query = select(table, table.added(), "WHERE id = $1");
    set_by(db, table, &query, id)
}

fn set_by(db: &dyn Sql, table: SealedTable, query: &str, id: &str) -> Result<(), Error> {
    let seal = db.one(query, values![id], |row| Ok(table.seal(&values(row, row.len() - 1))))?;
    let Some(seal) = seal else { return Ok(()) };
    let update = format!("UPDATE {} SET seal = $1 WHERE id = $2", table.name());
    db.run(&update, values![seal.to_string(), id])?;
    Ok(())
}

/// An error if a row that is there is not as it was sealed.
pub(super) fn check(db: &dyn Sql, table: SealedTable, id: &str) -> Result<(), Error> {
    let query = select(table, table.added(), "WHERE id = $1") + db.locking(Rows::All);
    match db.one(&query, values![id], |row| Ok(holds(row, table)))? {
        Some(false) => {
            let id = soul_core::text::visible(id);
            Err(Error::Damaged(format!("the row {id} of {} was changed after it was recorded", table.name()).into()))
        }
        _ => Ok(()),
    }
}

/// Seals every row of the first version that has seals: its tables have no column that was added later.
pub(super) fn set_first(db: &dyn Sql) -> Result<(), Error> {
    for table in SealedTable::FIRST {
        let ids = db.all(&format!("SELECT id FROM {}", table.name()), &[], |row| row.get::<String>(0))?;
        let query = select(table, &[], "WHERE id = $1");
        ids.iter().try_for_each(|id| set_by(db, table, &query, id))?;
    }
    Ok(())
}

/// Rows that are not as they were sealed.
pub(super) fn broken(db: &dyn Sql, problems: &mut Vec<Problem>) -> Result<(), Error> {
    for table in SealedTable::ALL {
        db.each(&select(table, table.added(), "ORDER BY id"), &[], &mut |row| {
            if !holds(row, table) {
                problems.push(Problem {
                    table: table.name().to_owned(),
                    id: shown(row, 0),
                    problem: "it was changed after it was recorded".to_owned(),
                });
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok(())
}

fn select(table: SealedTable, added: &[&str], rest: &str) -> String {
    let columns: Vec<_> = table.columns().iter().chain(added).copied().collect();
    format!("SELECT {}, seal FROM {} {rest}", columns.join(", "), table.name())
}

/// Whether a row with every sealed column, and the seal after them, is as it was sealed.
pub(super) fn holds(row: &Row, table: SealedTable) -> bool {
    let last = row.len() - 1;
    let stored: Option<String> = row.get(last).ok();
    stored == Some(table.seal(&values(row, last)).to_string())
}

fn values(row: &Row, count: usize) -> Vec<Option<Vec<u8>>> {
    let value = |column: usize| match row.value(column) {
        Value::Null => None,
        Value::Integer(number) => Some(number.to_string().into_bytes()),
        Value::Real(number) => Some(number.to_string().into_bytes()),
        Value::Text(text) => Some(text.as_bytes().to_vec()),
        Value::Garbled(bytes) => Some(bytes.clone()),
        Value::Bytes(bytes) => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes()),
    };
    (0..count).map(value).collect()
}
