use std::ops::ControlFlow;
use std::time::Duration;

use serde_json::{Value, json};

use super::seal::SealedTable;
use super::sql::{Abort, Row, Rows, Sql, values};
use super::statements as sql;
use super::task::soul_digest;
use super::values::{count, unknown};
use super::{
    Error, EventKind, NewEvent, Outcome, PageBytes, Party, Refusal, Run, RunFilter, RunState, Session, SessionState,
    Task, TaskRun, TaskState, events, seals, sessions,
};
use crate::clock::{Now, Time};
use crate::fields::Lease;
use crate::ids::{RunId, SessionId, TaskId};

/// The oldest queued task that the session may claim, and that nobody else is claiming.
const NEXT_TASK: &str = "SELECT id, payload_json FROM tasks WHERE state = 'queued' \
    AND (agent IS NULL OR (agent = $1 AND scope = $2)) ORDER BY seq LIMIT 1";

pub(super) fn add(db: &dyn Sql, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
    db.run(
        sql::INSERT_TASK,
        values![
            task.id.as_str(),
            task.scope,
            task.agent,
            task.payload.to_string(),
            task.state.as_str(),
            task.created_at
        ],
    )?;
    let event = NewEvent {
        scope: task.scope.clone(),
        agent: task.agent.clone(),
        task: Some(task.id.clone()),
        ..NewEvent::new(EventKind::TaskAdd, actor, origin)
    };
    events::append(db, &event, task.created_at)
}

pub(super) fn claim(
    db: &dyn Sql,
    session: &SessionId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Option<Run>, Abort> {
    let session = sessions::unchanged(db, session)?;
    if session.state == SessionState::Stopped {
        return Err(Refusal::Stopped.into());
    }
    // From here on nothing refuses: leases that have expired stay so, whether there is a task or not.
    expire(db, actor, origin, now)?;
    let next = NEXT_TASK.to_owned() + db.locking(Rows::Free);
    let next =
        db.one(&next, values![session.agent, session.scope], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))?;
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
    db.run(
        sql::INSERT_RUN,
        values![
            run.id.as_str(),
            run.task_id.as_str(),
            run.session_id.as_str(),
            run.state.as_str(),
            run.metadata.to_string(),
            run.lease_expires_at,
            until.steady().map(|(boot, _)| boot),
            until.steady().map(|(_, deadline)| deadline),
            run.claimed_at
        ],
    )?;
    seals::set(db, SealedTable::Runs, run.id.as_str())?;
    db.run(sql::SET_TASK_STATE, values![TaskState::Claimed.as_str(), run.task_id.as_str()])?;
    append_event(db, EventKind::RunClaim, &run, &session, actor, origin, now)?;
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
fn expire(db: &dyn Sql, actor: &Party, origin: &Party, now: Now) -> Result<(), Error> {
    let (boot, steady, time, bound) = clocks(now);
    let query = sql::EXPIRED_RUNS.to_owned() + db.locking(Rows::Free);
    let read = |row: &mut Row| Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<String>(2)?));
    let expired = db.all(&query, values![boot, steady, time, bound], read)?;
    let now = now.time;
    for (run, task, session) in expired {
        let is_unchanged = seals::check(db, SealedTable::Runs, &run).is_ok();
        db.run(sql::FINISH_RUN, values![RunState::Expired.as_str(), now, run])?;
        // One that someone else changed keeps no task from others, and stays what it is to the audit.
        if is_unchanged {
            seals::set(db, SealedTable::Runs, &run)?;
        }
        db.run(sql::SET_TASK_STATE, values![TaskState::Queued.as_str(), task])?;
        let event = NewEvent {
            session: Some(session.into()),
            task: Some(task.into()),
            run: Some(run.into()),
            ..NewEvent::new(EventKind::RunExpire, actor, origin)
        };
        events::append(db, &event, now)?;
    }
    Ok(())
}

pub(super) fn renew(
    db: &dyn Sql,
    id: &RunId,
    lease: Duration,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Run, Abort> {
    let mut run = live(db, id, now)?;
    let session = sessions::find(db, &run.session_id)?.ok_or(Refusal::NoSession)?;
    let (until, now) = (now.after(lease), now.time);
    run.lease_expires_at = until.time;
    let (boot, deadline) = until.steady().unzip();
    db.run(sql::RENEW_RUN, values![until.time, boot, deadline, id.as_str()])?;
    seals::set(db, SealedTable::Runs, id.as_str())?;
    append_event(db, EventKind::RunRenew, &run, &session, actor, origin, now)?;
    Ok(run)
}

pub(super) fn finish(
    db: &dyn Sql,
    id: &RunId,
    outcome: Outcome,
    actor: &Party,
    origin: &Party,
    now: Now,
) -> Result<Run, Abort> {
    let mut run = live(db, id, now)?;
    let session = sessions::find(db, &run.session_id)?.ok_or(Refusal::NoSession)?;
    let now = now.time;
    db.run(sql::FINISH_RUN, values![outcome.as_str(), now, id.as_str()])?;
    seals::set(db, SealedTable::Runs, id.as_str())?;
    db.run(sql::SET_TASK_STATE, values![outcome.as_str(), run.task_id.as_str()])?;
    run.state = match outcome {
        Outcome::Done => RunState::Done,
        Outcome::Failed => RunState::Failed,
    };
    run.finished_at = Some(now);
    append_event(db, EventKind::RunFinish, &run, &session, actor, origin, now)?;
    Ok(run)
}

/// A run whose lease has not expired.
fn live(db: &dyn Sql, id: &RunId, now: Now) -> Result<Run, Abort> {
    seals::check(db, SealedTable::Runs, id.as_str())?;
    let run = db.one(sql::RUN, values![id.as_str()], |row| run(row))?.ok_or(Refusal::NoRun)?;
    let (boot, steady, time, bound) = clocks(now);
    let is_expired = db.one(sql::IS_EXPIRED, values![boot, steady, time, bound, id.as_str()], |row| row.get(0))?;
    let is_expired = is_expired.unwrap_or(true);
    match run.state {
        RunState::Claimed if !is_expired => Ok(run),
        RunState::Claimed => Err(Refusal::RunOver(RunState::Expired).into()),
        state => Err(Refusal::RunOver(state).into()),
    }
}

fn append_event(
    db: &dyn Sql,
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
    events::append(db, &event, now)
}

pub(super) fn list(
    db: &dyn Sql,
    state: Option<TaskState>,
    after: Option<&TaskId>,
    limit: usize,
) -> Result<Option<Vec<Task>>, Error> {
    if let Some(after) = after
        && db.one(sql::TASK_SEQ, values![after.as_str()], |_| Ok(()))?.is_none()
    {
        return Ok(None);
    }
    let (state, after) = (state.map_or("", TaskState::as_str), after.map_or("", TaskId::as_str));
    let (mut tasks, mut bytes) = (Vec::new(), PageBytes::default());
    db.each(sql::TASKS, values![state, after, count(limit)], &mut |row| {
        let (payload, state): (String, String) = (row.get(3)?, row.get(4)?);
        let task = Task {
            id: row.get::<String>(0)?.into(),
            agent: row.get(1)?,
            scope: row.get(2)?,
            payload: parsed(&payload)?,
            state: TaskState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
            created_at: row.get(5)?,
            run: newest_run(row)?,
        };
        let is_full = bytes.is_full_after(&task);
        tasks.push(task);
        Ok(if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(Some(tasks))
}

/// The run of a row of a task, if the task has one.
fn newest_run(row: &Row) -> Result<Option<TaskRun>, Error> {
    let Some(id) = row.get::<Option<String>>(6)? else { return Ok(None) };
    let (state, metadata): (String, String) = (row.get(8)?, row.get(9)?);
    Ok(Some(TaskRun {
        id: id.into(),
        session_id: row.get::<String>(7)?.into(),
        state: run_state(&state)?,
        soul_digest: soul_digest(&parsed(&metadata)?),
        claimed_at: row.get(10)?,
        lease_expires_at: row.get(11)?,
        finished_at: row.get(12)?,
    }))
}

pub(super) fn runs(db: &dyn Sql, filter: &RunFilter, before: Option<&RunId>, limit: usize) -> Result<Vec<Run>, Error> {
    let RunFilter { session, task, state } = filter;
    let session = session.as_ref().map_or("", SessionId::as_str);
    let task = task.as_ref().map_or("", TaskId::as_str);
    let (state, before) = (state.map_or("", RunState::as_str), before.map_or("", RunId::as_str));
    let (mut runs, mut bytes) = (Vec::new(), PageBytes::default());
    db.each(sql::RUNS, values![session, task, state, before, count(limit)], &mut |row| {
        let run = run(row)?;
        let is_full = bytes.is_full_after(&run);
        runs.push(run);
        Ok(if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(runs)
}

fn run_state(state: &str) -> Result<RunState, Error> {
    RunState::stored(state).ok_or_else(|| unknown("the state", state))
}

fn run(row: &Row) -> Result<Run, Error> {
    let (state, metadata, payload): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
    Ok(Run {
        id: row.get::<String>(0)?.into(),
        task_id: row.get::<String>(1)?.into(),
        session_id: row.get::<String>(2)?.into(),
        state: run_state(&state)?,
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
