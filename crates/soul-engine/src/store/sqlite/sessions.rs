use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::revisions::parts;
use super::{Error, count, events, snapshots, unknown};
use crate::clock::Time;
use crate::ids::{RunId, SessionId, SnapshotId};
use crate::store::statements as sql;
use crate::store::{
    Binding, Decided, EventKind, NewEvent, NewSession, Party, Refusal, Session, SessionState, SoulStatus, Surroundings,
};
use crate::workspace::Kind;

pub(super) fn start(transaction: &Transaction<'_>, new: &NewSession, binding: &Binding) -> Result<Session, Error> {
    let (snapshot, digest) = bind(transaction, binding)?;
    let (scope, kind, name) = parts(&new.key);
    let (parent, parent_digest) = new.parent.clone().unzip();
    let now = Time::now();
    let session = Session {
        id: SessionId::fresh(),
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
        created_at: now.clone(),
        captured_at: now.clone(),
        stopped_at: None,
    };
    transaction.prepare_cached(sql::INSERT_SESSION)?.execute(params![
        session.id.as_str(),
        scope,
        kind,
        name,
        session.state.as_str(),
        session.soul_snapshot_id.as_ref().map(SnapshotId::as_str),
        session.soul_digest,
        session.soul_status.as_str(),
        session.parent_id.as_ref().map(SessionId::as_str),
        session.parent_soul_digest,
        now.as_str(),
        now.as_str(),
        stored(&binding.surroundings),
        binding.source.as_ref().map(stored),
        binding.persona.as_ref().map(stored),
    ])?;
    let kind = if session.parent_id.is_some() { EventKind::SessionSpawn } else { EventKind::SessionStart };
    tell(transaction, kind, &session, &new.actor, &new.origin)?;
    Ok(session)
}

pub(super) fn refresh(
    transaction: &Transaction<'_>,
    id: &SessionId,
    expected: Option<&str>,
    binding: &Binding,
    actor: &Party,
    origin: &Party,
) -> Decided<Session> {
    let Some(mut session) = find(transaction, id)? else { return Ok(Err(Refusal::NoSession)) };
    if session.state == SessionState::Stopped {
        return Ok(Err(Refusal::Stopped));
    }
    if expected.is_some_and(|expected| session.soul_digest.as_deref() != Some(expected)) {
        return Ok(Err(Refusal::OtherDigest(session.soul_digest)));
    }
    if let Some(run) = live_run(transaction, id)? {
        return Ok(Err(Refusal::LiveRun(run)));
    }
    let (snapshot, digest) = bind(transaction, binding)?;
    let now = Time::now();
    transaction.prepare_cached(sql::BIND_SESSION)?.execute(params![
        snapshot.as_ref().map(SnapshotId::as_str),
        digest,
        binding.status.as_str(),
        now.as_str(),
        stored(&binding.surroundings),
        binding.source.as_ref().map(stored),
        binding.persona.as_ref().map(stored),
        id.as_str()
    ])?;
    (session.soul_snapshot_id, session.soul_digest, session.captured_at) = (snapshot, digest, now);
    (session.soul_status, session.soul_source) = (binding.status, binding.source.clone());
    session.persona = binding.persona.clone();
    tell(transaction, EventKind::SessionRefresh, &session, actor, origin)?;
    Ok(Ok(session))
}

pub(super) fn turn(
    transaction: &Transaction<'_>,
    id: &SessionId,
    state: SessionState,
    actor: &Party,
    origin: &Party,
) -> Decided<Session> {
    let Some(mut session) = find(transaction, id)? else { return Ok(Err(Refusal::NoSession)) };
    // A session that is where it is asked to be stays as it is: nothing happened.
    if session.state != state {
        session.stopped_at = (state == SessionState::Stopped).then(Time::now);
        session.state = state;
        let stopped = session.stopped_at.as_ref().map(Time::as_str);
        transaction.prepare_cached(sql::TURN_SESSION)?.execute(params![state.as_str(), stopped, id.as_str()])?;
        let kind = match state {
            SessionState::Active => EventKind::SessionResume,
            SessionState::Stopped => EventKind::SessionStop,
        };
        tell(transaction, kind, &session, actor, origin)?;
    }
    Ok(Ok(session))
}

fn bind(transaction: &Transaction<'_>, binding: &Binding) -> Result<(Option<SnapshotId>, Option<String>), Error> {
    let Some(new) = &binding.soul else { return Ok((None, None)) };
    Ok((Some(snapshots::keep(transaction, new, true)?), Some(new.digest.to_string())))
}

fn stored(texts: &impl Serialize) -> String {
    // Texts and finite numbers only: nothing that could fail to be written.
    serde_json::to_string(texts).unwrap_or_default()
}

pub(super) fn surroundings(connection: &Connection, id: &SessionId) -> Result<Option<Surroundings>, Error> {
    let mut statement = connection.prepare_cached(sql::SURROUNDINGS)?;
    let stored: Option<String> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
    let damaged = |_| Error::Damaged(format!("the session {id} does not hold what a session holds"));
    stored.map(|stored| serde_json::from_str(&stored).map_err(damaged)).transpose()
}

fn tell(
    transaction: &Transaction<'_>,
    kind: EventKind,
    session: &Session,
    actor: &Party,
    origin: &Party,
) -> Result<(), Error> {
    events::append(transaction, &NewEvent::of_session(kind, session, actor, origin))
}

pub(super) fn find(connection: &Connection, id: &SessionId) -> Result<Option<Session>, Error> {
    let mut statement = connection.prepare_cached(sql::SESSION)?;
    let mut rows = statement.query([id.as_str()])?;
    rows.next()?.map(session).transpose()
}

pub(super) fn list(
    connection: &Connection,
    agent: Option<&str>,
    state: Option<SessionState>,
    limit: usize,
) -> Result<Vec<Session>, Error> {
    let mut statement = connection.prepare_cached(sql::SESSIONS)?;
    let state = state.map_or("", SessionState::as_str);
    let mut rows = statement.query(params![agent.unwrap_or_default(), state, count(limit)])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(session(row)?);
    }
    Ok(sessions)
}

pub(super) fn live_run(connection: &Connection, id: &SessionId) -> Result<Option<RunId>, Error> {
    let now = Time::now();
    let mut statement = connection.prepare_cached(sql::LIVE_RUN)?;
    let run: Option<String> = statement.query_row([id.as_str(), now.as_str()], |row| row.get(0)).optional()?;
    Ok(run.map(Into::into))
}

fn session(row: &Row<'_>) -> Result<Session, Error> {
    let (state, status): (String, String) = (row.get(3)?, row.get(11)?);
    Ok(Session {
        id: row.get::<_, String>(0)?.into(),
        agent: row.get(1)?,
        scope: row.get(2)?,
        state: SessionState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
        soul_snapshot_id: row.get::<_, Option<String>>(4)?.map(Into::into),
        soul_digest: row.get(5)?,
        soul_status: SoulStatus::stored(&status).ok_or_else(|| unknown("the status", &status))?,
        soul_source: parsed("the source", row.get(12)?)?,
        persona: parsed("the persona", row.get(13)?)?,
        parent_id: row.get::<_, Option<String>>(6)?.map(Into::into),
        parent_soul_digest: row.get(7)?,
        created_at: Time::stored(row.get(8)?),
        captured_at: Time::stored(row.get(9)?),
        stopped_at: row.get::<_, Option<String>>(10)?.map(Time::stored),
    })
}

/// What was stored as JSON.
fn parsed<T: DeserializeOwned>(what: &str, stored: Option<String>) -> Result<Option<T>, Error> {
    stored.map(|stored| serde_json::from_str(&stored).map_err(|_| unknown(what, &stored))).transpose()
}
