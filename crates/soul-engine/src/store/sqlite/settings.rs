use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Error, events};
use crate::clock::Time;
use crate::ids::StoreId;
use crate::store::statements as sql;
use crate::store::{EventKind, NewEvent, Party};
use crate::workspace::SoulKey;

/// The name of the setting that holds the selected soul.
const SELECTED: &str = "selected_soul";

/// The name of the setting that holds the id of the store.
const STORE_ID: &str = "store_id";

pub(super) fn store_id(connection: &Connection) -> Result<Option<String>, Error> {
    Ok(connection.prepare_cached(sql::SETTING)?.query_row([STORE_ID], |row| row.get(0)).optional()?)
}

/// Gives the store an id, unless it has one.
pub(super) fn make_store_id(transaction: &Transaction<'_>) -> Result<(), Error> {
    if store_id(transaction)?.is_none() {
        transaction.prepare_cached(sql::SET_SETTING)?.execute(params![STORE_ID, StoreId::fresh().as_str()])?;
    }
    Ok(())
}

pub(super) fn selected(connection: &Connection) -> Result<Option<String>, Error> {
    Ok(connection.prepare_cached(sql::SETTING)?.query_row([SELECTED], |row| row.get(0)).optional()?)
}

pub(super) fn select(
    transaction: &Transaction<'_>,
    id: Option<&str>,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    if selected(transaction)?.as_deref() == id {
        return Ok(());
    }
    match id {
        Some(id) => transaction.prepare_cached(sql::SET_SETTING)?.execute(params![SELECTED, id])?,
        None => transaction.prepare_cached(sql::UNSET_SETTING)?.execute([SELECTED])?,
    };
    let event = NewEvent {
        scope: Some(SoulKey::HOME.to_owned()),
        soul: id.map(str::to_owned),
        ..NewEvent::new(EventKind::Select, actor, origin)
    };
    events::append(transaction, &event, now)
}
