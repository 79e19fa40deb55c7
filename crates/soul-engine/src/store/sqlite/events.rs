use rusqlite::{Connection, Transaction, params};

use super::{Error, count, unknown};
use crate::clock::Time;
use crate::store::statements as sql;
use crate::store::{Event, EventKind, NewEvent, Party};

pub(super) fn append(transaction: &Transaction<'_>, event: &NewEvent) -> Result<(), Error> {
    let NewEvent { kind, scope, agent, soul, digest, revision, session, task, run, token, actor, origin } = event;
    transaction.prepare_cached(sql::INSERT_EVENT)?.execute(params![
        Time::now().as_str(),
        kind.as_str(),
        scope,
        agent,
        digest,
        revision,
        session,
        task,
        run,
        actor.kind,
        actor.name,
        origin.kind,
        origin.name,
        soul,
        token,
    ])?;
    Ok(())
}

pub(super) fn list(connection: &Connection, after: i64, limit: usize) -> Result<Vec<Event>, Error> {
    let mut statement = connection.prepare_cached(sql::EVENTS)?;
    let mut rows = statement.query(params![after, count(limit)])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(2)?;
        let event = NewEvent {
            kind: EventKind::stored(&kind).ok_or_else(|| unknown("the event", &kind))?,
            scope: row.get(3)?,
            agent: row.get(4)?,
            soul: row.get(14)?,
            digest: row.get(5)?,
            revision: row.get(6)?,
            session: row.get(7)?,
            task: row.get(8)?,
            run: row.get(9)?,
            token: row.get(15)?,
            actor: Party { kind: row.get(10)?, name: row.get(11)? },
            origin: Party { kind: row.get(12)?, name: row.get(13)? },
        };
        events.push(Event { seq: row.get(0)?, time: Time::stored(row.get(1)?), event });
    }
    Ok(events)
}

pub(super) fn before_last(connection: &Connection, skip: usize) -> Result<i64, Error> {
    Ok(connection.prepare_cached(sql::EVENT_BEFORE_LAST)?.query_row([count(skip)], |row| row.get(0))?)
}
