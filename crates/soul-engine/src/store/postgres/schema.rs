//! Tables, and which version of them there is.

use postgres::Client;

use crate::ids::StoreId;
use crate::store::settings::DATABASE_ID;
use crate::store::sql::{Sql, values};
use crate::store::{Error, settings, statements as sql};

/// The tables of the first version on this engine, and for each later one what changes them. A step is never changed
/// afterwards.
const MIGRATIONS: [(i64, &str); 4] = [
    (6, include_str!("schema-6.sql")),
    (7, include_str!("schema-7.sql")),
    (8, include_str!("schema-8.sql")),
    (9, include_str!("schema-9.sql")),
];

/// The lock for creating and migrating tables.
const MIGRATING: i64 = 0x736f_756c_0000_0001;

const VERSION: &str = settings::SCHEMA_VERSION;

/// Today's version.
pub(super) const TODAY: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The version of the tables. 0 if there are none.
pub(super) fn version(client: &mut Client) -> Result<i64, Error> {
    let there: bool = client.query_one("SELECT to_regclass('settings') IS NOT NULL", &[])?.get(0);
    if !there {
        return Ok(0);
    }
    let row = client.query_opt("SELECT value FROM settings WHERE name = $1", &[&VERSION])?;
    let version = row.and_then(|row| row.get::<_, String>(0).parse().ok());
    version.ok_or_else(|| Error::Damaged("it has a table `settings` that is not ours".into()))
}

/// Brings the tables to today's version. Of many keepers, one does it and the others find it done.
pub(super) fn migrate(client: &mut Client) -> Result<(), Error> {
    match version(client)? {
        TODAY => return Ok(()),
        newer if newer > TODAY => return Err(Error::Newer(newer)),
        _ => {}
    }
    // Before the transaction: one that waited for the lock inside would not see the tables that were made meanwhile.
    client.execute("SELECT pg_advisory_lock($1)", &[&MIGRATING])?;
    let migrated = migrate_alone(client);
    client.execute("SELECT pg_advisory_unlock($1)", &[&MIGRATING])?;
    migrated
}

fn migrate_alone(client: &mut Client) -> Result<(), Error> {
    let mut transaction = client.transaction()?;
    let there: bool = transaction.query_one("SELECT to_regclass('settings') IS NOT NULL", &[])?.get(0);
    let before = match there {
        true => transaction.query_opt("SELECT value FROM settings WHERE name = $1", &[&VERSION])?,
        false => None,
    };
    let before = before.and_then(|row| row.get::<_, String>(0).parse().ok()).unwrap_or(0);
    for (version, sql) in MIGRATIONS.iter().filter(|(version, _)| *version > before) {
        transaction.batch_execute(sql)?;
        let set = "INSERT INTO settings (name, value) VALUES ($1, $2) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        transaction.execute(set, &[&VERSION, &version.to_string()])?;
    }
    Ok(transaction.commit()?)
}

/// Whether the store and the database have an id.
pub(super) fn is_named(db: &dyn Sql) -> Result<bool, Error> {
    let has_own = db.one(sql::SETTING, values![DATABASE_ID], |_| Ok(()))?.is_some();
    Ok(has_own && settings::store_id(db)?.is_some())
}

/// Gives the store and the database an id, unless they have one.
pub(super) fn name(db: &dyn Sql) -> Result<(), Error> {
    settings::make_store_id(db)?;
    if !is_named(db)? {
        db.run(sql::SET_SETTING, values![DATABASE_ID, StoreId::fresh().as_str()])?;
    }
    Ok(())
}
