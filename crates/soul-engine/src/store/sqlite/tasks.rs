use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::{Value, json};

use super::{Error, count, events, sessions, unknown};
use crate::clock::Time;
use crate::ids::{RunId, SessionId, TaskId};
use crate::store::statements as sql;
use crate::store::{
    Decided, EventKind, NewEvent, Outcome, Party, Refusal, Run, RunState, Session, SessionState, Task, TaskState,
};

/// The oldest task that waits and that the session may take. Whoever asks holds the only write
/// transaction, so nobody else can take it.
const NEXT_TASK: &str = "SELECT id, payload_json FROM tasks WHERE state = 'queued' \
    AND (agent IS NULL OR (agent = $1 AND scope = $2)) ORDER BY seq LIMIT 1";

pub(super) fn add(transaction: &Transaction<'_>, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
    transaction.prepare_cached(sql::INSERT_TASK)?.execute(params![
        task.id.as_str(),
        task.scope,
        task.agent,
        task.payload.to_string(),
        task.state.as_str(),
        task.created_at.as_str()
    ])?;
    let event = NewEvent {
        scope: task.scope.clone(),
        agent: task.agent.clone(),
        task: Some(task.id.as_str().to_owned()),
        ..NewEvent::new(EventKind::TaskAdd, actor, origin)
    };
    events::append(transaction, &event)
}

pub(super) fn claim(
    transaction: &Transaction<'_>,
    session: &SessionId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
) -> Decided<Option<Run>> {
    let Some(session) = sessions::find(transaction, session)? else { return Ok(Err(Refusal::NoSession)) };
    if session.state == SessionState::Stopped {
        return Ok(Err(Refusal::Stopped));
    }
    expire(transaction, actor, origin)?;
    let next = transaction
        .prepare_cached(NEXT_TASK)?
        .query_row(params![session.agent, session.scope], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })
        .optional()?;
    let Some((task, payload)) = next else { return Ok(Ok(None)) };
    let run = Run {
        id: RunId::fresh(),
        task_id: task.into(),
        session_id: session.id.clone(),
        state: RunState::Claimed,
        metadata: metadata(&session),
        payload: parsed(&payload)?,
        lease_expires_at: Time::from_now(lease),
        claimed_at: Time::now(),
        finished_at: None,
    };
    transaction.prepare_cached(sql::INSERT_RUN)?.execute(params![
        run.id.as_str(),
        run.task_id.as_str(),
        run.session_id.as_str(),
        run.state.as_str(),
        run.metadata.to_string(),
        run.lease_expires_at.as_str(),
        run.claimed_at.as_str()
    ])?;
    transaction.prepare_cached(sql::TURN_TASK)?.execute(params![TaskState::Claimed.as_str(), run.task_id.as_str()])?;
    tell(transaction, EventKind::RunClaim, &run, &session, actor, origin)?;
    Ok(Ok(Some(run)))
}

/// Who the session was when it took the task, from its row alone.
fn metadata(session: &Session) -> Value {
    match &session.soul_digest {
        None => json!({}),
        Some(digest) => json!({
            "soul": {
                "snapshot_id": session.soul_snapshot_id,
                "digest": digest,
                "agent_name": session.agent,
                "captured_at": session.captured_at,
            }
        }),
    }
}

/// Tasks whose run let its lease run out wait again.
fn expire(transaction: &Transaction<'_>, actor: &Party, origin: &Party) -> Result<(), Error> {
    let now = Time::now();
    let expired: Vec<(String, String, String)> = transaction
        .prepare_cached(sql::EXPIRED_RUNS)?
        .query_map([now.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (run, task, session) in expired {
        transaction.prepare_cached(sql::FINISH_RUN)?.execute(params![RunState::Expired.as_str(), now.as_str(), run])?;
        transaction.prepare_cached(sql::TURN_TASK)?.execute(params![TaskState::Queued.as_str(), task])?;
        let event = NewEvent {
            session: Some(session),
            task: Some(task),
            run: Some(run),
            ..NewEvent::new(EventKind::RunExpire, actor, origin)
        };
        events::append(transaction, &event)?;
    }
    Ok(())
}

pub(super) fn renew(
    transaction: &Transaction<'_>,
    id: &RunId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
) -> Decided<Run> {
    let mut run = match live(transaction, id)? {
        Ok(run) => run,
        Err(refusal) => return Ok(Err(refusal)),
    };
    run.lease_expires_at = Time::from_now(lease);
    transaction.prepare_cached(sql::RENEW_RUN)?.execute(params![run.lease_expires_at.as_str(), id.as_str()])?;
    let Some(session) = sessions::find(transaction, &run.session_id)? else { return Ok(Err(Refusal::NoSession)) };
    tell(transaction, EventKind::RunRenew, &run, &session, actor, origin)?;
    Ok(Ok(run))
}

pub(super) fn finish(
    transaction: &Transaction<'_>,
    id: &RunId,
    outcome: Outcome,
    actor: &Party,
    origin: &Party,
) -> Decided<Run> {
    let mut run = match live(transaction, id)? {
        Ok(run) => run,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let now = Time::now();
    transaction.prepare_cached(sql::FINISH_RUN)?.execute(params![outcome.as_str(), now.as_str(), id.as_str()])?;
    transaction.prepare_cached(sql::TURN_TASK)?.execute(params![outcome.as_str(), run.task_id.as_str()])?;
    run.state = match outcome {
        Outcome::Done => RunState::Done,
        Outcome::Failed => RunState::Failed,
    };
    run.finished_at = Some(now);
    let Some(session) = sessions::find(transaction, &run.session_id)? else { return Ok(Err(Refusal::NoSession)) };
    tell(transaction, EventKind::RunFinish, &run, &session, actor, origin)?;
    Ok(Ok(run))
}

/// A run that its session still has.
fn live(transaction: &Transaction<'_>, id: &RunId) -> Decided<Run> {
    let mut statement = transaction.prepare_cached(sql::RUN)?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(Err(Refusal::NoRun)) };
    let run = run(row)?;
    Ok(match run.state {
        RunState::Claimed if run.lease_expires_at > Time::now() => Ok(run),
        RunState::Claimed => Err(Refusal::RunOver(RunState::Expired)),
        state => Err(Refusal::RunOver(state)),
    })
}

fn tell(
    transaction: &Transaction<'_>,
    kind: EventKind,
    run: &Run,
    session: &Session,
    actor: &Party,
    origin: &Party,
) -> Result<(), Error> {
    let event = NewEvent {
        task: Some(run.task_id.as_str().to_owned()),
        run: Some(run.id.as_str().to_owned()),
        ..NewEvent::of_session(kind, session, actor, origin)
    };
    events::append(transaction, &event)
}

pub(super) fn list(
    connection: &Connection,
    state: Option<TaskState>,
    after: Option<&TaskId>,
    limit: usize,
) -> Result<Option<Vec<Task>>, Error> {
    if let Some(after) = after
        && connection.prepare_cached(sql::TASK_SEQ)?.query_row([after.as_str()], |_| Ok(())).optional()?.is_none()
    {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(sql::TASKS)?;
    let (state, after) = (state.map_or("", TaskState::as_str), after.map_or("", TaskId::as_str));
    let mut rows = statement.query(params![state, after, count(limit)])?;
    let mut tasks = Vec::new();
    while let Some(row) = rows.next()? {
        let (payload, state): (String, String) = (row.get(3)?, row.get(4)?);
        tasks.push(Task {
            id: row.get::<_, String>(0)?.into(),
            agent: row.get(1)?,
            scope: row.get(2)?,
            payload: parsed(&payload)?,
            state: TaskState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
            created_at: Time::stored(row.get(5)?),
        });
    }
    Ok(Some(tasks))
}

fn run(row: &Row<'_>) -> Result<Run, Error> {
    let (state, metadata, payload): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
    Ok(Run {
        id: row.get::<_, String>(0)?.into(),
        task_id: row.get::<_, String>(1)?.into(),
        session_id: row.get::<_, String>(2)?.into(),
        state: RunState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
        metadata: parsed(&metadata)?,
        payload: parsed(&payload)?,
        lease_expires_at: Time::stored(row.get(6)?),
        claimed_at: Time::stored(row.get(7)?),
        finished_at: row.get::<_, Option<String>>(8)?.map(Time::stored),
    })
}

fn parsed(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|_| unknown("the JSON", text))
}
