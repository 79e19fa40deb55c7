use soul_core::digest::Digest;

use super::revisions::settle;
use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::{digest, parts, unknown};
use super::{Error, EventKind, LinkProblem, NewEvent, NewRepair, Party, Repair, Settled, events};
use crate::ids::RevisionId;
use crate::workspace::SoulKey;

pub(super) fn find(db: &dyn Sql, key: &SoulKey) -> Result<Vec<Repair>, Error> {
    let (scope, kind, name) = parts(key);
    db.all(sql::REPAIRS, values![scope, kind, name], |row| repair(row))
}

fn repair(row: &Row) -> Result<Repair, Error> {
    let problem: String = row.get(2)?;
    let required = |column| digest(row, column)?.ok_or_else(|| unknown("the digest", ""));
    Ok(Repair {
        revision: row.get::<String>(0)?.into(),
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

pub(super) fn accept(db: &dyn Sql, new: &NewRepair) -> Result<(), Error> {
    let (scope, kind, name) = parts(&new.key);
    for revision in &new.stuck {
        settle(db, revision, Settled::Done, new.now)?;
    }
    for link in &new.links {
        db.run(
            sql::INSERT_REPAIR,
            values![
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
            ],
        )?;
    }
    let first = new.links.first().map(|link| link.revision.clone());
    let revision = first.or_else(|| new.stuck.first().map(|revision| revision.sealed.id.clone()));
    let event = NewEvent { revision, ..NewEvent::for_soul(EventKind::AuditRepair, &new.key, &new.actor, &new.origin) };
    events::append(db, &event, new.now)
}

/// Revisions of a soul that were dropped because their text never came into place.
pub(super) fn dropped(db: &dyn Sql, key: &SoulKey) -> Result<Vec<RevisionId>, Error> {
    db.all(sql::DROPPED, values![&key.scope, &key.name], |row| Ok(row.get::<String>(0)?.into()))
}
