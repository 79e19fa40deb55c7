use soul_core::digest::Digest;

use super::seal::SealedTable;
use super::sql::{Abort, Row, Sql, values};
use super::statements as sql;
use super::values::{count, digest, from_json, parts, text, to_json, unknown};
use super::{
    Binding, Error, EventKind, NewEvent, NewSession, Party, Refusal, Session, SessionState, SoulStatus, Surroundings,
    events, receipts, seals, snapshots, tasks,
};
use crate::clock::{Now, Time};
use crate::ids::{RunId, SessionId, SnapshotId};
use crate::workspace::Kind;

pub(super) fn start(db: &dyn Sql, new: &NewSession, binding: &Binding) -> Result<Session, Error> {
    let now = new.now;
    let (snapshot, digest) = bind(db, binding, now)?;
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
    db.run(
        sql::INSERT_SESSION,
        values![
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
        ],
    )?;
    seals::set(db, SealedTable::Sessions, session.id.as_str())?;
    let kind = if session.parent_id.is_some() { EventKind::SessionSpawn } else { EventKind::SessionStart };
    receipts::record(db, &session, binding, &new.actor)?;
    append_event(db, kind, &session, &new.actor, &new.origin, now)?;
    Ok(session)
}

pub(super) fn refresh(
    db: &dyn Sql,
    id: &SessionId,
    expected: Option<&str>,
    binding: &Binding,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Session, Abort> {
    let mut session = unchanged(db, id)?;
    if session.state == SessionState::Stopped {
        return Err(Refusal::Stopped.into());
    }
    let bound = session.soul_digest.map(|digest| digest.to_string());
    if expected.is_some_and(|expected| bound.as_deref() != Some(expected)) {
        return Err(Refusal::OtherDigest(session.soul_digest).into());
    }
    if let Some(run) = live_run(db, id, now)? {
        return Err(Refusal::LiveRun(run).into());
    }
    let now = now.time;
    let (snapshot, digest) = bind(db, binding, now)?;
    db.run(
        sql::BIND_SESSION,
        values![
            snapshot.as_ref().map(SnapshotId::as_str),
            digest.map(|digest| digest.to_string()),
            binding.status.as_str(),
            now,
            to_json(&binding.surroundings),
            binding.source.as_ref().map(to_json),
            binding.persona.as_ref().map(to_json),
            id.as_str()
        ],
    )?;
    seals::set(db, SealedTable::Sessions, id.as_str())?;
    (session.soul_snapshot_id, session.soul_digest, session.captured_at) = (snapshot, digest, now);
    (session.soul_status, session.soul_source) = (binding.status, binding.source.clone());
    session.persona = binding.persona.clone();
    receipts::record(db, &session, binding, actor)?;
    append_event(db, EventKind::SessionRefresh, &session, actor, origin, now)?;
    Ok(session)
}

pub(super) fn set_state(
    db: &dyn Sql,
    id: &SessionId,
    state: SessionState,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<Session, Abort> {
    let mut session = unchanged(db, id)?;
    // A session that has the state already stays as it is: nothing happened.
    if session.state != state {
        session.stopped_at = (state == SessionState::Stopped).then_some(now);
        session.state = state;
        let stopped = session.stopped_at;
        db.run(sql::SET_SESSION_STATE, values![state.as_str(), stopped, id.as_str()])?;
        seals::set(db, SealedTable::Sessions, id.as_str())?;
        let kind = match state {
            SessionState::Active => EventKind::SessionResume,
            SessionState::Stopped => EventKind::SessionStop,
        };
        append_event(db, kind, &session, actor, origin, now)?;
    }
    Ok(session)
}

fn bind(db: &dyn Sql, binding: &Binding, now: Time) -> Result<(Option<SnapshotId>, Option<Digest>), Error> {
    let Some(new) = &binding.soul else { return Ok((None, None)) };
    Ok((Some(snapshots::insert(db, new, true, now)?), Some(new.digest)))
}

pub(super) fn surroundings(db: &dyn Sql, id: &SessionId) -> Result<Option<Surroundings>, Error> {
    let stored: Option<String> = db.one(sql::SURROUNDINGS, values![id.as_str()], |row| row.take(0))?;
    let damaged = |_| Error::Damaged(format!("the session {id} cannot be read").into());
    stored.map(|stored| serde_json::from_str(&stored).map_err(damaged)).transpose()
}

fn append_event(
    db: &dyn Sql,
    kind: EventKind,
    session: &Session,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    events::append(db, &NewEvent::for_session(kind, session, actor, origin), now)
}

pub(super) fn find(db: &dyn Sql, id: &SessionId) -> Result<Option<Session>, Error> {
    db.one(sql::SESSION, values![id.as_str()], |row| session(row))
}

/// A session that is as it was recorded: what is about to be sealed anew must not hide a change made elsewhere.
pub(super) fn unchanged(db: &dyn Sql, id: &SessionId) -> Result<Session, Abort> {
    seals::check(db, SealedTable::Sessions, id.as_str())?;
    Ok(find(db, id)?.ok_or(Refusal::NoSession)?)
}

pub(super) fn list(
    db: &dyn Sql,
    agent: Option<&str>,
    state: Option<SessionState>,
    before: Option<&SessionId>,
    limit: usize,
) -> Result<Vec<Session>, Error> {
    let state = state.map_or("", SessionState::as_str);
    let before = before.map_or("", SessionId::as_str);
    db.all(sql::SESSIONS, values![agent.unwrap_or_default(), state, before, count(limit)], |row| session(row))
}

pub(super) fn live_run(db: &dyn Sql, id: &SessionId, now: Now) -> Result<Option<RunId>, Error> {
    let (boot, steady, time, bound) = tasks::clocks(now);
    let run: Option<String> =
        db.one(sql::LIVE_RUN, values![boot, steady, time, bound, id.as_str()], |row| row.get(0))?;
    Ok(run.map(Into::into))
}

fn session(row: &Row) -> Result<Session, Error> {
    let (state, status): (String, String) = (row.get(3)?, row.get(11)?);
    Ok(Session {
        id: row.get::<String>(0)?.into(),
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
