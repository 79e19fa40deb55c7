use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::connections::transact;
use super::{Error, MISSING, OTHER, PATIENCE};
use crate::store::{Mark, seals, settings};

/// Each step takes the tables from one version to the next; a step is never changed afterwards.
const MIGRATIONS: [Step; 9] = [
    Step { sql: include_str!("schema-1.sql"), fill: None },
    Step { sql: include_str!("schema-2.sql"), fill: None },
    Step { sql: include_str!("schema-3.sql"), fill: Some(seal_and_name) },
    Step { sql: include_str!("schema-4.sql"), fill: None },
    Step { sql: include_str!("schema-5.sql"), fill: None },
    Step { sql: include_str!("schema-6.sql"), fill: None },
    Step { sql: include_str!("schema-7.sql"), fill: None },
    Step { sql: include_str!("schema-8.sql"), fill: None },
    Step { sql: include_str!("schema-9.sql"), fill: None },
];

/// For each earlier version, what stands in for the tables that the next one changes or adds. Together with those
/// of the versions after it, today's queries can read it.
const VIEWS: [&str; MIGRATIONS.len() - 1] = [
    include_str!("view-1.sql"),
    include_str!("view-2.sql"),
    include_str!("view-3.sql"),
    include_str!("view-4.sql"),
    include_str!("view-5.sql"),
    include_str!("view-6.sql"),
    include_str!("view-7.sql"),
    include_str!("view-8.sql"),
];

/// The first version whose stores have an id and seals.
const FIRST_SEALED: i64 = 3;

/// A step from one version to the next.
struct Step {
    sql: &'static str,
    /// What SQL alone cannot fill in.
    fill: Option<Fill>,
}

type Fill = fn(&Connection) -> Result<(), Error>;

fn seal_and_name(transaction: &Connection) -> Result<(), Error> {
    settings::make_store_id(transaction)?;
    seals::set_first(transaction)
}

/// The version of the tables. 0 if there are none.
pub(super) fn version(connection: &Connection) -> Result<i64, Error> {
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables > 0 {
            let lost = "it has tables and no schema version, as after `sqlite3 .dump`, which loses `user_version`";
            return Err(Error::Damaged(lost.into()));
        }
    }
    Ok(version)
}

/// Whether rows of this store are sealed.
pub(super) fn is_sealed(connection: &Connection) -> Result<bool, Error> {
    Ok(version(connection)? >= FIRST_SEALED)
}

/// Makes the tables readable by today's queries where they cannot be migrated.
pub(super) fn view(connection: &Connection) -> Result<(), Error> {
    let version = version(connection)?;
    match usize::try_from(version) {
        Ok(version) if version == MIGRATIONS.len() => Ok(()),
        Ok(0) => Err(Error::ReadOnly("it has no tables yet".into())),
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

/// Whether this is the store that the mark names. Changes nothing.
pub(super) fn check_id(connection: &Connection, noted: &str, mark: &Mark) -> Result<(), Error> {
    match version(connection)? {
        0 => Err(mark.lost(MISSING)),
        // A store gets its id and its mark together.
        version if version < FIRST_SEALED => Err(mark.lost(OTHER)),
        _ if settings::store_id(connection)?.as_deref() != Some(noted) => Err(mark.lost(OTHER)),
        _ => Ok(()),
    }
}

/// Brings the tables to today's version, durably. Of many processes, one does it and the others find it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let today = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let version_before = version(connection)?;
    if version_before > today {
        return Err(Error::Newer(version_before));
    }
    // A store that was just made or restored has no log yet.
    write_ahead(connection)?;
    if version_before == today {
        return Ok(());
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    transact(connection, |transaction| {
        let from = usize::try_from(version(transaction)?).unwrap_or(0);
        for (number, step) in (1..).zip(&MIGRATIONS).skip(from) {
            transaction.execute_batch(step.sql)?;
            step.fill.map_or(Ok(()), |fill| fill(transaction))?;
            transaction.pragma_update(None, "user_version", number)?;
        }
        Ok::<_, Error>(())
    })?;
    Ok(connection.pragma_update(None, "synchronous", "NORMAL")?)
}

/// Turns the log on. While others open the file for the first time too, the engine does not wait by
/// itself.
fn write_ahead(connection: &Connection) -> Result<(), Error> {
    if connection.pragma_query_value(None, "journal_mode", |row| Ok(row.get_ref(0)?.as_str()? == "wal"))? {
        return Ok(());
    }
    let until = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL").map_err(Error::from) {
            Err(Error::Busy) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            done => return done,
        }
    }
}
