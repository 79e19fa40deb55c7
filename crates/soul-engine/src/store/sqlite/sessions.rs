use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use soul_core::digest::Digest;

use super::error::Abort;
use super::revisions::parts;
use super::values::{digest, from_json, text, to_json};
use super::{Error, count, events, seals, snapshots, tasks, unknown};
use crate::clock::{Now, Time};
use crate::ids::{RunId, SessionId, SnapshotId};
use crate::store::seal::SealedTable;
use crate::store::statements as sql;
use crate::store::{
    Binding, EventKind, NewEvent, NewSession, Party, Refusal, Session, SessionState, SoulStatus, Surroundings,
};
use crate::workspace::Kind;

pub(super) fn start(transaction: &Transaction<'_>, new: &NewSession, binding: &Binding) -> Result<Session, Error> {
    let now = new.now;
    let (snapshot, digest) = bind(transaction, binding, now)?;
    let (scope, kind, name) = parts(&new.key);
    let (parent, parent_digest) = new.parent.clone().unzip();
    let session = Session {
        id: SessionId::fresh_at(now),
        agent: (new.key.kind == Kind::Agent).then(|| name.to_owned()),
        scope: scope.to_owned(),
        state: SessionState::Active,
        soul_snapshot_id: snapshot,
        soul_digest: digest,
        soul_status: binding.status,
        soul_source: binding.source.clone(),
        persona: binding.persona.clone(),
        parent_id: parent,
        parent_soul_digest: parent_digest.flatten(),
        created_at: now,
        captured_at: now,
        stopped_at: None,
    };
    transaction.prepare_cached(sql::INSERT_SESSION)?.execute(params![
        session.id.as_str(),
        scope,
        kind,
        name,
        session.state.as_str(),
        session.soul_snapshot_id.as_ref().map(SnapshotId::as_str),
        session.soul_digest.map(|digest| digest.to_string()),
        session.soul_status.as_str(),
        session.parent_id.as_ref().map(SessionId::as_str),
        session.parent_soul_digest.map(|digest| digest.to_string()),
        now,
        now,
        to_json(&binding.surroundings),
        binding.source.as_ref().map(to_json),
        binding.persona.as_ref().map(to_json),
    ])?;
    seals::set(transaction, SealedTable::Sessions, session.id.as_str())?;
    let kind = if session.parent_id.is_some() { EventKind::SessionSpawn } else { EventKind::SessionStart };
    append_event(transaction, kind, &session, &new.actor, &new.origin, now)?;
    Ok(session)
}

pub(super) fn refresh(
    transaction: &Transaction<'_>,
    id: &SessionId,
    expected: Option<&str>,
    binding: &Binding,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Session, Abort> {
    let mut session = unchanged(transaction, id)?;
    if session.state == SessionState::Stopped {
        return Err(Refusal::Stopped.into());
    }
    let bound = session.soul_digest.map(|digest| digest.to_string());
    if expected.is_some_and(|expected| bound.as_deref() != Some(expected)) {
        return Err(Refusal::OtherDigest(session.soul_digest).into());
    }
    if let Some(run) = live_run(transaction, id, now)? {
        return Err(Refusal::LiveRun(run).into());
    }
    let now = now.time;
    let (snapshot, digest) = bind(transaction, binding, now)?;
    transaction.prepare_cached(sql::BIND_SESSION)?.execute(params![
        snapshot.as_ref().map(SnapshotId::as_str),
        digest.map(|digest| digest.to_string()),
        binding.status.as_str(),
        now,
        to_json(&binding.surroundings),
        binding.source.as_ref().map(to_json),
        binding.persona.as_ref().map(to_json),
        id.as_str()
    ])?;
    seals::set(transaction, SealedTable::Sessions, id.as_str())?;
    (session.soul_snapshot_id, session.soul_digest, session.captured_at) = (snapshot, digest, now);
    (session.soul_status, session.soul_source) = (binding.status, binding.source.clone());
    session.persona = binding.persona.clone();
    append_event(transaction, EventKind::SessionRefresh, &session, actor, origin, now)?;
    Ok(session)
}

pub(super) fn set_state(
    transaction: &Transaction<'_>,
    id: &SessionId,
    state: SessionState,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<Session, Abort> {
    let mut session = unchanged(transaction, id)?;
    // A session that has the state already stays as it is: nothing happened.
    if session.state != state {
        session.stopped_at = (state == SessionState::Stopped).then_some(now);
        session.state = state;
        let stopped = session.stopped_at;
        transaction.prepare_cached(sql::SET_SESSION_STATE)?.execute(params![state.as_str(), stopped, id.as_str()])?;
        seals::set(transaction, SealedTable::Sessions, id.as_str())?;
        let kind = match state {
            SessionState::Active => EventKind::SessionResume,
            SessionState::Stopped => EventKind::SessionStop,
        };
        append_event(transaction, kind, &session, actor, origin, now)?;
    }
    Ok(session)
}

fn bind(
    transaction: &Transaction<'_>,
    binding: &Binding,
    now: Time,
) -> Result<(Option<SnapshotId>, Option<Digest>), Error> {
    let Some(new) = &binding.soul else { return Ok((None, None)) };
    Ok((Some(snapshots::insert(transaction, new, true, now)?), Some(new.digest)))
}

pub(super) fn surroundings(connection: &Connection, id: &SessionId) -> Result<Option<Surroundings>, Error> {
    let mut statement = connection.prepare_cached(sql::SURROUNDINGS)?;
    let stored: Option<String> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
    let damaged = |_| Error::Damaged(format!("the session {id} cannot be read").into());
    stored.map(|stored| serde_json::from_str(&stored).map_err(damaged)).transpose()
}

fn append_event(
    transaction: &Transaction<'_>,
    kind: EventKind,
    session: &Session,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    events::append(transaction, &NewEvent::for_session(kind, session, actor, origin), now)
}

pub(super) fn find(connection: &Connection, id: &SessionId) -> Result<Option<Session>, Error> {
    let mut statement = connection.prepare_cached(sql::SESSION)?;
    let mut rows = statement.query([id.as_str()])?;
    rows.next()?.map(session).transpose()
}

/// A session that is as it was recorded: what is about to be sealed anew must not hide what somebody else changed.
pub(super) fn unchanged(transaction: &Transaction<'_>, id: &SessionId) -> Result<Session, Abort> {
    seals::check(transaction, SealedTable::Sessions, id.as_str())?;
    Ok(find(transaction, id)?.ok_or(Refusal::NoSession)?)
}

pub(super) fn list(
    connection: &Connection,
    agent: Option<&str>,
    state: Option<SessionState>,
    before: Option<&SessionId>,
    limit: usize,
) -> Result<Vec<Session>, Error> {
    let mut statement = connection.prepare_cached(sql::SESSIONS)?;
    let state = state.map_or("", SessionState::as_str);
    let mut rows = statement.query(params![
        agent.unwrap_or_default(),
        state,
        before.map_or("", SessionId::as_str),
        count(limit)
    ])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(session(row)?);
    }
    Ok(sessions)
}

pub(super) fn live_run(connection: &Connection, id: &SessionId, now: Now) -> Result<Option<RunId>, Error> {
    let mut statement = connection.prepare_cached(sql::LIVE_RUN)?;
    let (boot, steady, time, bound) = tasks::clocks(now);
    let run: Option<String> =
        statement.query_row(params![boot, steady, time, bound, id.as_str()], |row| row.get(0)).optional()?;
    Ok(run.map(Into::into))
}

fn session(row: &Row<'_>) -> Result<Session, Error> {
    let (state, status): (String, String) = (row.get(3)?, row.get(11)?);
    Ok(Session {
        id: row.get::<_, String>(0)?.into(),
        agent: row.get(1)?,
        scope: row.get(2)?,
        state: SessionState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
        soul_snapshot_id: text(row, 4)?,
        soul_digest: digest(row, 5)?,
        soul_status: SoulStatus::stored(&status).ok_or_else(|| unknown("the status", &status))?,
        soul_source: from_json("the source", row.get(12)?)?,
        persona: from_json("the persona", row.get(13)?)?,
        parent_id: text(row, 6)?,
        parent_soul_digest: digest(row, 7)?,
        created_at: row.get(8)?,
        captured_at: row.get(9)?,
        stopped_at: row.get(10)?,
    })
}
