use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, Row, ToSql, Transaction, params};

use super::revisions::{parts, souls, tail};
use super::{Error, events};
use crate::clock::Time;
use crate::ids::{MutationId, RevisionId};
use crate::store::statements as sql;
use crate::store::{NewFork, NewPlace, Place, PlaceId, ScopeRecord};
use crate::workspace::{Location, SoulKey};

pub(super) fn of_scope(connection: &Connection, scope: &str) -> Result<Vec<Place>, Error> {
    many(connection, sql::PLACES, scope)
}

pub(super) fn at(connection: &Connection, path: &Path) -> Result<Vec<Place>, Error> {
    many(connection, sql::PLACES_AT, Location::bytes_of(path))
}

pub(super) fn of_pending(connection: &Connection, id: &RevisionId) -> Result<Option<Place>, Error> {
    Ok(many(connection, sql::PENDING_PLACE, id.as_str())?.into_iter().next())
}

fn many(connection: &Connection, sql: &str, parameter: impl ToSql) -> Result<Vec<Place>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map([parameter], place)?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn place(row: &Row<'_>) -> rusqlite::Result<Place> {
    let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
    let location =
        Location { device: number(2)?, inode: number(3)?, path: Location::path_of(row.get_ref(4)?.as_blob()?) };
    Ok(Place { id: row.get(0)?, scope: row.get(1)?, location, bound_at: row.get(5)? })
}

pub(super) fn bind(transaction: &Transaction<'_>, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error> {
    if of_scope(transaction, new.scope)? != new.known {
        return Ok(None);
    }
    let place = set(transaction, new.scope, new.location, new.replaces, new.now)?;
    if let Some(event) = new.event {
        events::append(transaction, event, new.now)?;
    }
    Ok(Some(place))
}

/// Writes a place, in the row of another if it takes that over.
fn set(
    transaction: &Transaction<'_>,
    scope: &str,
    location: &Location,
    replaces: Option<PlaceId>,
    now: Time,
) -> Result<PlaceId, Error> {
    let (device, inode, path) =
        (location.device.cast_signed(), location.inode.cast_signed(), Location::bytes_of(&location.path));
    match replaces {
        Some(place) => {
            let row = params![scope, device, inode, path, now, place];
            transaction.prepare_cached(sql::MOVE_PLACE)?.execute(row)?;
            Ok(place)
        }
        None => {
            transaction.prepare_cached(sql::INSERT_PLACE)?.execute(params![scope, device, inode, path, now])?;
            Ok(transaction.last_insert_rowid())
        }
    }
}

pub(super) fn fork(transaction: &Transaction<'_>, fork: &NewFork<'_>) -> Result<usize, Error> {
    let NewFork { scope, parent, location, event, now } = fork;
    let mut continued = 0;
    for key in souls(transaction)?.iter().filter(|key| key.scope == *parent) {
        let Some(last) = tail(transaction, key)?.last else { continue };
        let (_, kind, name) = parts(key);
        let row = params![scope, kind, name, parent, last.sealed.seq, last.chain.to_string(), now];
        transaction.prepare_cached(sql::INSERT_FORK)?.execute(row)?;
        continued += 1;
    }
    for statement in [sql::COPY_PERSONAS, sql::COPY_BUDGETS] {
        transaction.prepare_cached(statement)?.execute([scope, parent])?;
    }
    let mut statement = transaction.prepare_cached(sql::MUTATION_IDS)?;
    let steps = statement.query_map([parent], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Time>(1)?)))?;
    // An id names one row; a step that was copied is another one.
    for (id, created_at) in steps.collect::<Result<Vec<_>, _>>()? {
        let copy = MutationId::fresh_at(created_at);
        transaction.prepare_cached(sql::COPY_MUTATION)?.execute([scope, copy.as_str(), &id])?;
    }
    let here = of_scope(transaction, parent)?.into_iter().find(|place| place.location.is_same(location));
    set(transaction, scope, location, here.map(|place| place.id), *now)?;
    events::append(transaction, event, *now)?;
    Ok(continued)
}

pub(super) fn scopes(connection: &Connection) -> Result<Vec<ScopeRecord>, Error> {
    let mut found: BTreeMap<String, ScopeRecord> = BTreeMap::new();
    for key in souls(connection)?.into_iter().filter(|key| key.scope != SoulKey::HOME) {
        let scope = key.scope.clone();
        let empty = || ScopeRecord { scope: key.scope.clone(), souls: Vec::new(), revisions: 0, last_change: None };
        found.entry(scope).or_insert_with(empty).souls.push(key);
    }
    let mut statement = connection.prepare_cached(sql::SCOPES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(record) = found.get_mut(&row.get::<_, String>(0)?) {
            record.revisions = usize::try_from(row.get::<_, i64>(1)?).unwrap_or_default();
            record.last_change = row.get(2)?;
        }
    }
    Ok(found.into_values().collect())
}
