use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::Error;
use crate::store::Problem;
use crate::store::seal::SealedTable;

/// Seals a row as it is now, after whoever changes it has checked its seal.
pub(super) fn set(connection: &Connection, table: SealedTable, id: &str) -> Result<(), Error> {
    let mut select = connection.prepare_cached(&select(table, "WHERE id = $1"))?;
    let mut rows = select.query([id])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let seal = table.seal(&values(row, table)).to_string();
    let update = format!("UPDATE {} SET seal = $1 WHERE id = $2", table.name());
    connection.prepare_cached(&update)?.execute([seal.as_str(), id])?;
    Ok(())
}

/// An error if a row that is there is not as it was sealed.
pub(super) fn check(connection: &Connection, table: SealedTable, id: &str) -> Result<(), Error> {
    let mut select = connection.prepare_cached(&select(table, "WHERE id = $1"))?;
    let mut rows = select.query([id])?;
    match rows.next()? {
        Some(row) if !holds(row, table) => {
            let id = soul_core::text::visible(id);
            Err(Error::Damaged(format!("the row {id} of {} was changed after it was recorded", table.name()).into()))
        }
        _ => Ok(()),
    }
}

/// Seals every row that there is.
pub(super) fn set_all(connection: &Connection) -> Result<(), Error> {
    for table in SealedTable::ALL {
        let mut ids = connection.prepare(&format!("SELECT id FROM {}", table.name()))?;
        let ids = ids.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        ids.iter().try_for_each(|id| set(connection, table, id))?;
    }
    Ok(())
}

/// Rows that are not as they were sealed.
pub(super) fn broken(connection: &Connection, problems: &mut Vec<Problem>) -> Result<(), Error> {
    for table in SealedTable::ALL {
        let mut select = connection.prepare(&select(table, "ORDER BY id"))?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            if !holds(row, table) {
                problems.push(Problem {
                    table: table.name().to_owned(),
                    id: super::checks::shown(row, 0),
                    problem: "it was changed after it was recorded".to_owned(),
                });
            }
        }
    }
    Ok(())
}

fn select(table: SealedTable, rest: &str) -> String {
    format!("SELECT {}, seal FROM {} {rest}", table.columns().join(", "), table.name())
}

fn holds(row: &Row<'_>, table: SealedTable) -> bool {
    let stored = row.get_ref(table.columns().len()).ok().and_then(|value| value.as_str().ok());
    stored == Some(table.seal(&values(row, table)).to_string().as_str())
}

fn values(row: &Row<'_>, table: SealedTable) -> Vec<Option<Vec<u8>>> {
    let value = |column: usize| match row.get_ref(column).unwrap_or(ValueRef::Null) {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string().into_bytes()),
        ValueRef::Real(number) => Some(number.to_string().into_bytes()),
        ValueRef::Text(text) => Some(text.to_vec()),
        ValueRef::Blob(bytes) => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes()),
    };
    (0..table.columns().len()).map(value).collect()
}
