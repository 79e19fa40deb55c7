use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::{Value, json};

use super::error::Abort;
use super::{Error, count, events, seals, sessions, unknown};
use crate::clock::{Now, Time};
use crate::fields::Lease;
use crate::ids::{RunId, SessionId, TaskId};
use crate::store::seal::SealedTable;
use crate::store::statements as sql;
use crate::store::{
    EventKind, NewEvent, Outcome, PageBytes, Party, Refusal, Run, RunState, Session, SessionState, Task, TaskState,
};

/// The oldest queued task that the session may claim. There is one write transaction at a time, so nobody
/// else can claim it.
const NEXT_TASK: &str = "SELECT id, payload_json FROM tasks WHERE state = 'queued' \
    AND (agent IS NULL OR (agent = $1 AND scope = $2)) ORDER BY seq LIMIT 1";

pub(super) fn add(transaction: &Transaction<'_>, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
    transaction.prepare_cached(sql::INSERT_TASK)?.execute(params![
        task.id.as_str(),
        task.scope,
        task.agent,
        task.payload.to_string(),
        task.state.as_str(),
        task.created_at
    ])?;
    let event = NewEvent {
        scope: task.scope.clone(),
        agent: task.agent.clone(),
        task: Some(task.id.clone()),
        ..NewEvent::new(EventKind::TaskAdd, actor, origin)
    };
    events::append(transaction, &event, task.created_at)
}

pub(super) fn claim(
    transaction: &Transaction<'_>,
    session: &SessionId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Option<Run>, Abort> {
    let session = sessions::unchanged(transaction, session)?;
    if session.state == SessionState::Stopped {
        return Err(Refusal::Stopped.into());
    }
    // From here on nothing refuses: leases that have expired stay so, whether there is a task or not.
    expire(transaction, actor, origin, now)?;
    let next = transaction
        .prepare_cached(NEXT_TASK)?
        .query_row(params![session.agent, session.scope], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })
        .optional()?;
    let Some((task, payload)) = next else { return Ok(None) };
    let (until, now) = (now.after(lease), now.time);
    let run = Run {
        id: RunId::fresh_at(now),
        task_id: task.into(),
        session_id: session.id.clone(),
        state: RunState::Claimed,
        metadata: metadata(&session),
        payload: parsed(&payload)?,
        lease_expires_at: until.time,
        claimed_at: now,
        finished_at: None,
    };
    transaction.prepare_cached(sql::INSERT_RUN)?.execute(params![
        run.id.as_str(),
        run.task_id.as_str(),
        run.session_id.as_str(),
        run.state.as_str(),
        run.metadata.to_string(),
        run.lease_expires_at,
        until.steady().map(|(boot, _)| boot),
        until.steady().map(|(_, deadline)| deadline),
        run.claimed_at
    ])?;
    seals::set(transaction, SealedTable::Runs, run.id.as_str())?;
    transaction
        .prepare_cached(sql::SET_TASK_STATE)?
        .execute(params![TaskState::Claimed.as_str(), run.task_id.as_str()])?;
    append_event(transaction, EventKind::RunClaim, &run, &session, actor, origin, now)?;
    Ok(Some(run))
}

/// Which soul the session had when it claimed the task, from its row alone.
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

/// What the statements about leases ask for: the steady clock, the moment, and the last moment at which a lease that
/// begins now can end.
pub(super) fn clocks(now: Now) -> (Option<&'static str>, Option<i64>, Time, Time) {
    let (boot, steady) = now.steady().unzip();
    (boot, steady, now.time, now.time.after(Lease::LONGEST))
}

/// Ends runs whose lease has expired, and queues their tasks again.
fn expire(transaction: &Transaction<'_>, actor: &Party, origin: &Party, now: Now) -> Result<(), Error> {
    let (boot, steady, time, bound) = clocks(now);
    let expired: Vec<(String, String, String)> = transaction
        .prepare_cached(sql::EXPIRED_RUNS)?
        .query_map(params![boot, steady, time, bound], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let now = now.time;
    for (run, task, session) in expired {
        let is_unchanged = seals::check(transaction, SealedTable::Runs, &run).is_ok();
        transaction.prepare_cached(sql::FINISH_RUN)?.execute(params![RunState::Expired.as_str(), now, run])?;
        // One that somebody else changed keeps no task from others, and stays what it is to the audit.
        if is_unchanged {
            seals::set(transaction, SealedTable::Runs, &run)?;
        }
        transaction.prepare_cached(sql::SET_TASK_STATE)?.execute(params![TaskState::Queued.as_str(), task])?;
        let event = NewEvent {
            session: Some(session.into()),
            task: Some(task.into()),
            run: Some(run.into()),
            ..NewEvent::new(EventKind::RunExpire, actor, origin)
        };
        events::append(transaction, &event, now)?;
    }
    Ok(())
}

pub(super) fn renew(
    transaction: &Transaction<'_>,
    id: &RunId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Run, Abort> {
    let mut run = live(transaction, id, now)?;
    let session = sessions::find(transaction, &run.session_id)?.ok_or(Refusal::NoSession)?;
    let (until, now) = (now.after(lease), now.time);
    run.lease_expires_at = until.time;
    let (boot, deadline) = until.steady().unzip();
    transaction.prepare_cached(sql::RENEW_RUN)?.execute(params![until.time, boot, deadline, id.as_str()])?;
    seals::set(transaction, SealedTable::Runs, id.as_str())?;
    append_event(transaction, EventKind::RunRenew, &run, &session, actor, origin, now)?;
    Ok(run)
}

pub(super) fn finish(
    transaction: &Transaction<'_>,
    id: &RunId,
    outcome: Outcome,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Run, Abort> {
    let mut run = live(transaction, id, now)?;
    let session = sessions::find(transaction, &run.session_id)?.ok_or(Refusal::NoSession)?;
    let now = now.time;
    transaction.prepare_cached(sql::FINISH_RUN)?.execute(params![outcome.as_str(), now, id.as_str()])?;
    seals::set(transaction, SealedTable::Runs, id.as_str())?;
    transaction.prepare_cached(sql::SET_TASK_STATE)?.execute(params![outcome.as_str(), run.task_id.as_str()])?;
    run.state = match outcome {
        Outcome::Done => RunState::Done,
        Outcome::Failed => RunState::Failed,
    };
    run.finished_at = Some(now);
    append_event(transaction, EventKind::RunFinish, &run, &session, actor, origin, now)?;
    Ok(run)
}

/// A run whose lease has not expired.
fn live(transaction: &Transaction<'_>, id: &RunId, now: Now) -> Result<Run, Abort> {
    seals::check(transaction, SealedTable::Runs, id.as_str())?;
    let mut statement = transaction.prepare_cached(sql::RUN)?;
    let mut rows = statement.query([id.as_str()])?;
    let run = run(rows.next()?.ok_or(Refusal::NoRun)?)?;
    let (boot, steady, time, bound) = clocks(now);
    let mut expired = transaction.prepare_cached(sql::IS_EXPIRED)?;
    let is_expired: bool = expired.query_row(params![boot, steady, time, bound, id.as_str()], |row| row.get(0))?;
    match run.state {
        RunState::Claimed if !is_expired => Ok(run),
        RunState::Claimed => Err(Refusal::RunOver(RunState::Expired).into()),
        state => Err(Refusal::RunOver(state).into()),
    }
}

fn append_event(
    transaction: &Transaction<'_>,
    kind: EventKind,
    run: &Run,
    session: &Session,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    let event = NewEvent {
        task: Some(run.task_id.clone()),
        run: Some(run.id.clone()),
        ..NewEvent::for_session(kind, session, actor, origin)
    };
    events::append(transaction, &event, now)
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
    let (mut tasks, mut bytes) = (Vec::new(), PageBytes::default());
    while let Some(row) = rows.next()? {
        let (payload, state): (String, String) = (row.get(3)?, row.get(4)?);
        let task = Task {
            id: row.get::<_, String>(0)?.into(),
            agent: row.get(1)?,
            scope: row.get(2)?,
            payload: parsed(&payload)?,
            state: TaskState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
            created_at: row.get(5)?,
        };
        let is_full = bytes.is_full_after(&task);
        tasks.push(task);
        if is_full {
            break;
        }
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
        lease_expires_at: row.get(6)?,
        claimed_at: row.get(7)?,
        finished_at: row.get(8)?,
    })
}

fn parsed(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|_| unknown("the JSON", text))
}
