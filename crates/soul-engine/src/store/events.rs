use super::sql::{Sql, values};
use super::statements as sql;
use super::values::{count, digest, text, unknown};
use super::{Error, Event, EventDetail, EventFilter, EventKind, NewEvent, Party};
use crate::clock::Time;
use crate::ids::{ProposalId, RevisionId, RunId, SessionId, TaskId, TokenId};

pub(super) fn append(db: &dyn Sql, event: &NewEvent, now: Time) -> Result<(), Error> {
    let NewEvent {
        kind,
        scope,
        agent,
        soul,
        digest,
        revision,
        session,
        task,
        run,
        token,
        proposal,
        findings,
        detail,
        actor,
        origin,
    } = event;
    let findings = (!findings.is_empty()).then(|| serde_json::json!(findings).to_string());
    let detail = (*detail != EventDetail::default()).then(|| serde_json::json!(detail).to_string());
    db.run(
        sql::INSERT_EVENT,
        values![
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
            proposal.as_ref().map(ProposalId::as_str),
            detail,
        ],
    )?;
    Ok(())
}

pub(super) fn list(db: &dyn Sql, filter: &EventFilter, after: i64, limit: usize) -> Result<Vec<Event>, Error> {
    let [agent, kind, actor, since, until] = texts(filter);
    let before = filter.before.unwrap_or_default();
    db.all(sql::EVENTS, values![after, agent, kind, actor, since, until, before, count(limit)], |row| {
        let kind: String = row.get(2)?;
        let detail: Option<String> = row.get(18)?;
        let detail = detail.map(|json| serde_json::from_str(&json)).transpose();
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
            proposal: text(row, 17)?,
            findings: findings.map_err(|_| unknown("the findings of an event", &kind))?.unwrap_or_default(),
            detail: detail.map_err(|_| unknown("the detail of an event", &kind))?.unwrap_or_default(),
            actor: Party { kind: row.get(10)?, name: row.get(11)? },
            origin: Party { kind: row.get(12)?, name: row.get(13)? },
        };
        Ok(Event { seq: row.get(0)?, time: row.get(1)?, event })
    })
}

pub(super) fn before_last(db: &dyn Sql, filter: &EventFilter, skip: usize) -> Result<i64, Error> {
    let [agent, kind, actor, since, until] = texts(filter);
    let before = filter.before.unwrap_or_default();
    let seq =
        db.one(sql::EVENT_BEFORE_LAST, values![agent, kind, actor, since, until, before, count(skip)], |row| {
            row.get(0)
        })?;
    Ok(seq.unwrap_or_default())
}

/// A filter as the statements take it: what is absent is empty.
fn texts(filter: &EventFilter) -> [String; 5] {
    let EventFilter { agent, kind, actor, since, until, .. } = filter;
    let time = |time: &Option<Time>| time.map(|time| time.to_string());
    [agent.clone(), kind.clone(), actor.clone(), time(since), time(until)].map(Option::unwrap_or_default)
}
