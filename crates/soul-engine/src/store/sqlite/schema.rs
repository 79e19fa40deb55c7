use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{Error, PATIENCE, transact};

/// Each step takes the tables from one version to the next; a step is never changed afterwards.
const MIGRATIONS: [&str; 3] =
    [include_str!("schema-1.sql"), include_str!("schema-2.sql"), include_str!("schema-4.sql")];

/// For each earlier version, what stands in for the tables that the next one changes or adds. Together with those
/// of the versions after it, today's queries can read it.
const VIEWS: [&str; MIGRATIONS.len() - 1] = [include_str!("view-1.sql"), include_str!("view-3.sql")];

/// Makes the tables readable by today's queries where they cannot be migrated.
pub(super) fn view(connection: &Connection) -> Result<(), Error> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match usize::try_from(version) {
        Ok(version) if version == MIGRATIONS.len() => Ok(()),
        Ok(0) => Err(Error::ReadOnly("it has no tables yet".to_owned())),
        Ok(older) if older < MIGRATIONS.len() => {
            connection.pragma_update(None, "temp_store", "MEMORY")?;
            for sql in &VIEWS[older - 1..] {
                connection.execute_batch(sql)?;
            }
            Ok(())
        }
        _ => Err(Error::Newer(version)),
    }
}

/// Brings the tables to today's version. Of many processes, one does it and the others find it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let today = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let version = |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get(0));
    match version(connection)? {
        version if version == today => return Ok(()),
        version if version > today => return Err(Error::Newer(version)),
        _ => {}
    }
    write_ahead(connection)?;
    transact(connection, |transaction| {
        let from: i64 = version(transaction)?;
        for (step, sql) in MIGRATIONS.iter().enumerate().skip(usize::try_from(from).unwrap_or(0)) {
            transaction.execute_batch(sql)?;
            transaction.pragma_update(None, "user_version", i64::try_from(step + 1).unwrap_or(i64::MAX))?;
        }
        Ok(())
    })
}

/// Turns the log on. While others open the file for the first time too, the engine does not wait by
/// itself.
fn write_ahead(connection: &Connection) -> Result<(), Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL").map_err(Error::from) {
            Err(Error::Busy) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            done => return done,
        }
    }
}
