use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use soul_core::persona::{self, State, Trait, adapt as step};
use soul_core::search::Day;

use super::revisions::parts;
use super::values::to_json;
use super::{Error, count, events, unknown};
use crate::clock::Time;
use crate::ids::MutationId;
use crate::store::statements as sql;
use crate::store::{Adaptation, EventKind, Mutation, NewEvent, NewMutation, Party, Revert};
use crate::workspace::SoulKey;

pub(super) fn find(connection: &Connection, key: &SoulKey) -> Result<State, Error> {
    let (scope, kind, name) = parts(key);
    let mut statement = connection.prepare_cached(sql::PERSONA)?;
    let mut rows = statement.query(params![scope, kind, name])?;
    let Some(row) = rows.next()? else { return Ok(State::default()) };
    let stored = row.get_ref(0)?.as_bytes().unwrap_or_default();
    let damaged = |_| Error::Damaged(format!("the persona of {key} cannot be read").into());
    serde_json::from_slice(stored).map_err(damaged)
}

fn set(transaction: &Transaction<'_>, key: &SoulKey, state: &State) -> Result<(), Error> {
    let (scope, kind, name) = parts(key);
    transaction.prepare_cached(sql::SET_PERSONA)?.execute(params![scope, kind, name, to_json(state)])?;
    Ok(())
}

pub(super) fn adapt(transaction: &Transaction<'_>, new: &NewMutation) -> Result<Adaptation, Error> {
    let NewMutation { key, of, delta, session, baseline, tempo, now, .. } = new;
    let (scope, kind, name) = parts(key);
    let of = *of;
    let mut state = find(transaction, key)?;
    let spent: Option<f64> = transaction
        .prepare_cached(sql::SPENT)?
        .query_row(params![scope, kind, name, session, of.as_str()], |row| row.get(0))
        .optional()?;
    let current = state.adapted(baseline, *tempo, now.seconds());
    let adapted = step(current.get(of), baseline.get(of), spent.unwrap_or_default(), *delta, tempo.bounds);
    if adapted.new == adapted.previous {
        return Ok(Adaptation { adapted, id: None });
    }
    let last: i64 =
        transaction.prepare_cached(sql::LAST_MUTATION)?.query_row(params![scope, kind, name], |row| row.get(0))?;
    let (seq, id) = (last + 1, MutationId::fresh_at(*now));
    transaction.prepare_cached(sql::INSERT_MUTATION)?.execute(params![
        scope,
        kind,
        name,
        seq,
        id.as_str(),
        of.as_str(),
        adapted.delta,
        adapted.previous,
        adapted.new,
        session,
        new.reason,
        new.evidence,
        new.actor.kind,
        new.actor.name,
        new.origin.kind,
        new.origin.name,
        now,
    ])?;
    let spent = params![scope, kind, name, session, of.as_str(), adapted.session_total];
    transaction.prepare_cached(sql::SPEND)?.execute(spent)?;
    state.prune(*tempo, now.seconds());
    let day = Day::of_seconds(now.seconds());
    state.mutations.push(persona::Mutation { seq, trait_: of, delta: adapted.delta, day });
    set(transaction, key, &state)?;
    let event = NewEvent {
        session: Some(session.clone().into()),
        ..NewEvent::for_soul(EventKind::PersonaAdapt, key, &new.actor, &new.origin)
    };
    events::append(transaction, &event, *now)?;
    Ok(Adaptation { adapted, id: Some(id) })
}

pub(super) fn mutations(
    connection: &Connection,
    key: &SoulKey,
    before: Option<i64>,
    limit: usize,
) -> Result<Vec<Mutation>, Error> {
    let (scope, kind, name) = parts(key);
    let mut statement = connection.prepare_cached(sql::MUTATIONS)?;
    let mut rows = statement.query(params![scope, kind, name, before.unwrap_or(i64::MAX), count(limit)])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(mutation(row)?);
    }
    Ok(found)
}

fn mutation(row: &Row<'_>) -> Result<Mutation, Error> {
    let of: String = row.get(2)?;
    Ok(Mutation {
        seq: row.get(0)?,
        id: row.get::<_, String>(1)?.into(),
        of: Trait::from_key(&of).ok_or_else(|| unknown("the trait", &of))?,
        delta: row.get(3)?,
        previous: row.get(4)?,
        new: row.get(5)?,
        session: row.get(6)?,
        reason: row.get(7)?,
        evidence: row.get(8)?,
        actor: Party { kind: row.get(9)?, name: row.get(10)? },
        origin: Party { kind: row.get(11)?, name: row.get(12)? },
        created_at: row.get(13)?,
        reverted_at: row.get(14)?,
    })
}

pub(super) fn revert(transaction: &Transaction<'_>, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error> {
    let Revert { key, to, now, actor, origin } = revert;
    let (scope, kind, name) = parts(key);
    let last = match to {
        None => 0,
        Some(id) => {
            let mut statement = transaction.prepare_cached(sql::MUTATION_SEQ)?;
            let seq = statement.query_row(params![scope, kind, name, id.as_str()], |row| row.get(0)).optional()?;
            let Some(seq) = seq else { return Ok(None) };
            seq
        }
    };
    let mut reverted = transaction.prepare_cached(sql::REVERTED)?;
    let reverted = reverted.query_map(params![scope, kind, name, last], |row| row.get::<_, String>(0))?;
    let reverted = reverted.map(|id| Ok(id?.into())).collect::<Result<Vec<MutationId>, Error>>()?;
    transaction.prepare_cached(sql::REVERT)?.execute(params![now, scope, kind, name, last])?;
    let event = NewEvent::for_soul(EventKind::PersonaRevert, key, actor, origin);
    change(transaction, key, &event, *now, &mut |state| match to {
        Some(_) => state.mutations.retain(|mutation| mutation.seq <= last),
        None => *state = State { activated: state.activated, ..State::default() },
    })?;
    Ok(Some(reverted))
}

pub(super) fn change(
    transaction: &Transaction<'_>,
    key: &SoulKey,
    event: &NewEvent,
    now: Time,
    change: &mut dyn FnMut(&mut State),
) -> Result<State, Error> {
    let before = find(transaction, key)?;
    let mut state = before.clone();
    change(&mut state);
    if state != before {
        set(transaction, key, &state)?;
        events::append(transaction, event, now)?;
    }
    Ok(state)
}
