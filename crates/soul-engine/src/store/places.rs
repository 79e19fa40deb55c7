use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::revisions::{souls, tail};
use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::parts;
use super::{Error, NewFork, NewPlace, Place, PlaceId, ScopeRecord, events};
use crate::clock::Time;
use crate::ids::{MutationId, RevisionId};
use crate::workspace::{Location, SoulKey};

pub(super) fn of_scope(db: &dyn Sql, scope: &str) -> Result<Vec<Place>, Error> {
    db.all(sql::PLACES, values![scope], |row| place(db, row))
}

pub(super) fn at(db: &dyn Sql, path: &Path) -> Result<Vec<Place>, Error> {
    db.all(sql::PLACES_AT, values![Location::bytes_of(path), db.owner()], |row| place(db, row))
}

pub(super) fn of_pending(db: &dyn Sql, id: &RevisionId) -> Result<Option<Place>, Error> {
    db.one(sql::PENDING_PLACE, values![id.as_str()], |row| place(db, row))
}

fn place(db: &dyn Sql, row: &Row) -> Result<Place, Error> {
    let number = |column| row.get::<i64>(column).map(i64::cast_unsigned);
    let path: Vec<u8> = row.get(4)?;
    let location = Location {
        device: number(2)?,
        inode: number(3)?,
        path: Location::path_of(&path),
        is_elsewhere: row.get::<String>(6)? != db.owner(),
    };
    Ok(Place { id: row.get(0)?, scope: row.get(1)?, location, bound_at: row.get(5)? })
}

/// Until when others wait for the keeper that is writing a pending revision.
pub(super) fn pending_until(db: &dyn Sql, id: &RevisionId) -> Result<Option<Time>, Error> {
    db.one(sql::PENDING_UNTIL, values![id.as_str()], |row| row.get(0))
}

pub(super) fn bind(db: &dyn Sql, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error> {
    if of_scope(db, new.scope)? != new.known {
        return Ok(None);
    }
    let place = set(db, new.scope, new.location, new.replaces, new.now)?;
    if let Some(event) = new.event {
        events::append(db, event, new.now)?;
    }
    Ok(Some(place))
}

/// Writes a place, in the row of another if it takes that over.
fn set(db: &dyn Sql, scope: &str, location: &Location, replaces: Option<PlaceId>, now: Time) -> Result<PlaceId, Error> {
    let (device, inode, path) =
        (location.device.cast_signed(), location.inode.cast_signed(), Location::bytes_of(&location.path));
    match replaces {
        Some(place) => {
            db.run(sql::MOVE_PLACE, values![scope, device, inode, path, now, db.owner(), place])?;
            Ok(place)
        }
        None => {
            let owner = db.owner();
            let row = values![scope, device, inode, path, now, owner];
            let place = db.one(sql::INSERT_PLACE, row, |row| row.get(0))?;
            Ok(place.unwrap_or_default())
        }
    }
}

pub(super) fn fork(db: &dyn Sql, fork: &NewFork<'_>) -> Result<usize, Error> {
    let NewFork { scope, parent, location, event, now } = fork;
    let mut continued = 0;
    for key in souls(db)?.iter().filter(|key| key.scope == *parent) {
        let Some(last) = tail(db, key)?.last else { continue };
        let (_, kind, name) = parts(key);
        let (seq, chain) = (last.sealed.seq, last.chain.to_string());
        db.run(sql::INSERT_FORK, values![scope, kind, name, parent, seq, chain, now])?;
        continued += 1;
    }
    for statement in [sql::COPY_PERSONAS, sql::COPY_BUDGETS] {
        db.run(statement, values![scope, parent])?;
    }
    let steps = db.all(sql::MUTATION_IDS, values![*parent], |row| Ok((row.get::<String>(0)?, row.get::<Time>(1)?)))?;
    // An id names one row; a step that was copied is another one.
    for (id, created_at) in steps {
        let copy = MutationId::fresh_at(created_at);
        db.run(sql::COPY_MUTATION, values![scope, copy.as_str(), &id])?;
    }
    let here = of_scope(db, parent)?.into_iter().find(|place| place.location.is_same(location));
    set(db, scope, location, here.map(|place| place.id), *now)?;
    events::append(db, event, *now)?;
    Ok(continued)
}

pub(super) fn scopes(db: &dyn Sql) -> Result<Vec<ScopeRecord>, Error> {
    let mut found: BTreeMap<String, ScopeRecord> = BTreeMap::new();
    for key in souls(db)?.into_iter().filter(|key| !SoulKey::is_home(&key.scope)) {
        let scope = key.scope.clone();
        let empty = || ScopeRecord { scope: key.scope.clone(), souls: Vec::new(), revisions: 0, last_change: None };
        found.entry(scope).or_insert_with(empty).souls.push(key);
    }
    db.each(sql::SCOPES, &[], &mut |row| {
        if let Some(record) = found.get_mut(&row.get::<String>(0)?) {
            record.revisions = usize::try_from(row.get::<i64>(1)?).unwrap_or_default();
            record.last_change = row.get(2)?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found.into_values().collect())
}
