use rusqlite::{Connection, Transaction, params};

use super::values::{digest, text};
use super::{Error, count, unknown};
use crate::clock::Time;
use crate::ids::{RevisionId, RunId, SessionId, TaskId, TokenId};
use crate::store::statements as sql;
use crate::store::{Event, EventFilter, EventKind, NewEvent, Party};

pub(super) fn append(transaction: &Transaction<'_>, event: &NewEvent, now: Time) -> Result<(), Error> {
    let NewEvent { kind, scope, agent, soul, digest, revision, session, task, run, token, findings, actor, origin } =
        event;
    let findings = (!findings.is_empty()).then(|| serde_json::json!(findings).to_string());
    transaction.prepare_cached(sql::INSERT_EVENT)?.execute(params![
        now,
        kind.as_str(),
        scope,
        agent,
        digest.map(|digest| digest.to_string()),
        revision.as_ref().map(RevisionId::as_str),
        session.as_ref().map(SessionId::as_str),
        task.as_ref().map(TaskId::as_str),
        run.as_ref().map(RunId::as_str),
        actor.kind,
        actor.name,
        origin.kind,
        origin.name,
        soul,
        token.as_ref().map(TokenId::as_str),
        findings,
    ])?;
    Ok(())
}

pub(super) fn list(
    connection: &Connection,
    filter: &EventFilter,
    after: i64,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let [agent, kind, actor, since, until] = texts(filter);
    let mut statement = connection.prepare_cached(sql::EVENTS)?;
    let mut rows = statement.query(params![after, agent, kind, actor, since, until, count(limit)])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(2)?;
        let findings: Option<String> = row.get(16)?;
        let findings = findings.map(|json| serde_json::from_str(&json)).transpose();
        let event = NewEvent {
            kind: EventKind::stored(&kind).ok_or_else(|| unknown("the event", &kind))?,
            scope: row.get(3)?,
            agent: row.get(4)?,
            soul: row.get(14)?,
            digest: digest(row, 5)?,
            revision: text(row, 6)?,
            session: text(row, 7)?,
            task: text(row, 8)?,
            run: text(row, 9)?,
            token: text(row, 15)?,
            findings: findings.map_err(|_| unknown("the findings of an event", &kind))?.unwrap_or_default(),
            actor: Party { kind: row.get(10)?, name: row.get(11)? },
            origin: Party { kind: row.get(12)?, name: row.get(13)? },
        };
        events.push(Event { seq: row.get(0)?, time: row.get(1)?, event });
    }
    Ok(events)
}

pub(super) fn before_last(connection: &Connection, filter: &EventFilter, skip: usize) -> Result<i64, Error> {
    let [agent, kind, actor, since, until] = texts(filter);
    let parameters = params![agent, kind, actor, since, until, count(skip)];
    Ok(connection.prepare_cached(sql::EVENT_BEFORE_LAST)?.query_row(parameters, |row| row.get(0))?)
}

/// A filter as the statements take it: what is absent is empty.
fn texts(filter: &EventFilter) -> [String; 5] {
    let EventFilter { agent, kind, actor, since, until } = filter;
    let time = |time: &Option<Time>| time.map(|time| time.to_string());
    [agent.clone(), kind.clone(), actor.clone(), time(since), time(until)].map(Option::unwrap_or_default)
}
