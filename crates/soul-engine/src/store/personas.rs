use soul_core::persona::{self, State, Trait, adapt as step};
use soul_core::search::Day;

use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::{count, parts, to_json, unknown};
use super::{Adaptation, Error, EventDetail, EventKind, Mutation, NewEvent, NewMutation, Party, Revert, events};
use crate::clock::Time;
use crate::ids::MutationId;
use crate::workspace::SoulKey;

pub(super) fn find(db: &dyn Sql, key: &SoulKey) -> Result<State, Error> {
    let (scope, kind, name) = parts(key);
    let stored =
        db.one(sql::PERSONA, values![scope, kind, name], |row| Ok(row.get::<String>(0).unwrap_or_default()))?;
    let Some(stored) = stored else { return Ok(State::default()) };
    let damaged = |_| Error::Damaged(format!("the persona of {key} cannot be read").into());
    serde_json::from_str(&stored).map_err(damaged)
}

fn set(db: &dyn Sql, key: &SoulKey, state: &State) -> Result<(), Error> {
    let (scope, kind, name) = parts(key);
    db.run(sql::SET_PERSONA, values![scope, kind, name, to_json(state)])?;
    Ok(())
}

pub(super) fn adapt(db: &dyn Sql, new: &NewMutation) -> Result<Adaptation, Error> {
    let NewMutation { key, of, delta, session, baseline, tempo, now, .. } = new;
    let (scope, kind, name) = parts(key);
    let of = *of;
    let mut state = find(db, key)?;
    let spent: Option<f64> = db.one(sql::SPENT, values![scope, kind, name, session, of.as_str()], |row| row.get(0))?;
    let current = state.adapted(baseline, *tempo, now.seconds());
    let adapted = step(current.get(of), baseline.get(of), spent.unwrap_or_default(), *delta, tempo.bounds);
    if adapted.new == adapted.previous {
        return Ok(Adaptation { adapted, id: None });
    }
    let last: Option<i64> = db.one(sql::LAST_MUTATION, values![scope, kind, name], |row| row.get(0))?;
    let (seq, id) = (last.unwrap_or_default() + 1, MutationId::fresh_at(*now));
    db.run(
        sql::INSERT_MUTATION,
        values![
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
        ],
    )?;
    db.run(sql::SPEND, values![scope, kind, name, session, of.as_str(), adapted.session_total])?;
    state.prune(*tempo, now.seconds());
    let day = Day::of_seconds(now.seconds());
    state.mutations.push(persona::Mutation { seq, trait_: of, delta: adapted.delta, day });
    set(db, key, &state)?;
    let event = NewEvent {
        session: Some(session.clone().into()),
        detail: EventDetail { trait_: Some(of), delta: Some(adapted.delta), ..EventDetail::default() },
        ..NewEvent::for_soul(EventKind::PersonaAdapt, key, &new.actor, &new.origin)
    };
    events::append(db, &event, *now)?;
    Ok(Adaptation { adapted, id: Some(id) })
}

pub(super) fn mutations(
    db: &dyn Sql,
    key: &SoulKey,
    before: Option<i64>,
    limit: usize,
) -> Result<Vec<Mutation>, Error> {
    let (scope, kind, name) = parts(key);
    let (before, limit) = (before.unwrap_or(i64::MAX), count(limit));
    db.all(sql::MUTATIONS, values![scope, kind, name, before, limit], |row| mutation(row))
}

fn mutation(row: &Row) -> Result<Mutation, Error> {
    let of: String = row.get(2)?;
    Ok(Mutation {
        seq: row.get(0)?,
        id: row.get::<String>(1)?.into(),
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

pub(super) fn revert(db: &dyn Sql, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error> {
    let Revert { key, to, now, actor, origin } = revert;
    let (scope, kind, name) = parts(key);
    let last = match to {
        None => 0,
        Some(id) => {
            let seq = db.one(sql::MUTATION_SEQ, values![scope, kind, name, id.as_str()], |row| row.get(0))?;
            let Some(seq) = seq else { return Ok(None) };
            seq
        }
    };
    let steps = values![scope, kind, name, last];
    let reverted = db.all(sql::REVERTED, steps, |row| Ok(row.get::<String>(0)?.into()))?;
    db.run(sql::REVERT, values![now, scope, kind, name, last])?;
    let event = NewEvent::for_soul(EventKind::PersonaRevert, key, actor, origin);
    change(db, key, &event, *now, &mut |state| match to {
        Some(_) => state.mutations.retain(|mutation| mutation.seq <= last),
        None => *state = State { activated: state.activated, ..State::default() },
    })?;
    Ok(Some(reverted))
}

pub(super) fn change(
    db: &dyn Sql,
    key: &SoulKey,
    event: &NewEvent,
    now: Time,
    change: &mut dyn FnMut(&mut State),
) -> Result<State, Error> {
    let before = find(db, key)?;
    let mut state = before.clone();
    change(&mut state);
    if state != before {
        set(db, key, &state)?;
        events::append(db, event, now)?;
    }
    Ok(state)
}
