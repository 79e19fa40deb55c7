use super::sql::{Sql, values};
use super::statements as sql;
use super::{Error, EventKind, NewEvent, Party, events};
use crate::clock::Time;
use crate::ids::StoreId;
use crate::workspace::SoulKey;

/// The name of the setting that holds the selected soul.
pub(super) const SELECTED: &str = "selected_soul";

/// The name of the setting that holds the id of the store.
pub(super) const STORE_ID: &str = "store_id";

/// The name of the setting that holds the version of the tables, where the engine has no place of its own for it.
pub(super) const SCHEMA_VERSION: &str = "schema_version";

/// The name of the setting that tells of a migration into this store that was not finished.
pub(super) const MIGRATION: &str = "migration";

/// Settings that are about the store that they are in. They are not copied into another one.
pub(super) const OWN: [&str; 4] = [STORE_ID, SCHEMA_VERSION, MIGRATION, DATABASE_ID];

/// The name of the setting that tells a database from one that has a copy of its rows.
pub(super) const DATABASE_ID: &str = "database_id";

pub(super) fn store_id(db: &dyn Sql) -> Result<Option<String>, Error> {
    db.one(sql::SETTING, values![STORE_ID], |row| row.get(0))
}

/// Gives the store an id, unless it has one.
pub(super) fn make_store_id(db: &dyn Sql) -> Result<(), Error> {
    if store_id(db)?.is_none() {
        db.run(sql::SET_SETTING, values![STORE_ID, StoreId::fresh().as_str()])?;
    }
    Ok(())
}

/// Gives the store the id of the one that was copied into it.
pub(super) fn set_store_id(db: &dyn Sql, id: &str) -> Result<(), Error> {
    db.run(sql::SET_SETTING, values![STORE_ID, id]).map(drop)
}

pub(super) fn selected(db: &dyn Sql) -> Result<Option<String>, Error> {
    db.one(sql::SETTING, values![SELECTED], |row| row.get(0))
}

pub(super) fn select(db: &dyn Sql, id: Option<&str>, actor: &Party, origin: &Party, now: Time) -> Result<(), Error> {
    if selected(db)?.as_deref() == id {
        return Ok(());
    }
    match id {
        Some(id) => db.run(sql::SET_SETTING, values![SELECTED, id])?,
        None => db.run(sql::UNSET_SETTING, values![SELECTED])?,
    };
    let event = NewEvent {
        scope: Some(SoulKey::HOME.to_owned()),
        soul: id.map(str::to_owned),
        ..NewEvent::new(EventKind::Select, actor, origin)
    };
    events::append(db, &event, now)
}
