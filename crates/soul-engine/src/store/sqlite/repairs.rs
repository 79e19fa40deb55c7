use rusqlite::{Connection, Row, Transaction, params};
use soul_core::digest::Digest;

use super::revisions::{parts, settle};
use super::values::digest;
use super::{Error, events, unknown};
use crate::ids::RevisionId;
use crate::store::statements as sql;
use crate::store::{EventKind, LinkProblem, NewEvent, NewRepair, Party, Repair, Settled};
use crate::workspace::SoulKey;

pub(super) fn find(connection: &Connection, key: &SoulKey) -> Result<Vec<Repair>, Error> {
    let (scope, kind, name) = parts(key);
    let mut statement = connection.prepare_cached(sql::REPAIRS)?;
    let mut rows = statement.query(params![scope, kind, name])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(repair(row)?);
    }
    Ok(found)
}

fn repair(row: &Row<'_>) -> Result<Repair, Error> {
    let problem: String = row.get(2)?;
    let required = |column| digest(row, column)?.ok_or_else(|| unknown("the digest", ""));
    Ok(Repair {
        revision: row.get::<_, String>(0)?.into(),
        seq: row.get(1)?,
        problem: LinkProblem::stored(&problem).ok_or_else(|| unknown("the problem", &problem))?,
        previous_chain: digest(row, 3)?,
        chain: required(4)?,
        content: required(5)?,
        actor: Party { kind: row.get(6)?, name: row.get(7)? },
        origin: Party { kind: row.get(8)?, name: row.get(9)? },
        created_at: row.get(10)?,
    })
}

pub(super) fn accept(transaction: &Transaction<'_>, new: &NewRepair) -> Result<(), Error> {
    let (scope, kind, name) = parts(&new.key);
    for revision in &new.stuck {
        settle(transaction, revision, Settled::Done, new.now)?;
    }
    for link in &new.links {
        transaction.prepare_cached(sql::INSERT_REPAIR)?.execute(params![
            link.revision.as_str(),
            scope,
            kind,
            name,
            link.seq,
            link.problem.as_str(),
            link.previous_chain.map(|chain: Digest| chain.to_string()),
            link.chain.to_string(),
            link.content.to_string(),
            new.actor.kind,
            new.actor.name,
            new.origin.kind,
            new.origin.name,
            new.now,
        ])?;
    }
    let first = new.links.first().map(|link| link.revision.clone());
    let revision = first.or_else(|| new.stuck.first().map(|revision| revision.sealed.id.clone()));
    let event = NewEvent { revision, ..NewEvent::for_soul(EventKind::AuditRepair, &new.key, &new.actor, &new.origin) };
    events::append(transaction, &event, new.now)
}

/// Revisions of a soul that were dropped because their text never came into place.
pub(super) fn dropped(connection: &Connection, key: &SoulKey) -> Result<Vec<RevisionId>, Error> {
    let mut statement = connection.prepare_cached(sql::DROPPED)?;
    let found = statement.query_map([&key.scope, &key.name], |row| row.get::<_, String>(0))?;
    found.map(|id| Ok(id?.into())).collect()
}
