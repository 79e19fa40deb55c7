use soul_core::digest::RawDigest;
use soul_core::model::Dialect;

use super::event::refused;
use super::seal::SealedTable;
use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::{count, digest, from_json, key, parts, text, to_json, unknown};
use super::{
    Error, EventKind, NewEvent, NewProposal, Party, Proposal, ProposalState, Proposed, ProposedText, Reviewed, Verdict,
    events, seals,
};
use crate::ids::{ProposalId, RevisionId};

pub(super) fn add(db: &dyn Sql, new: &NewProposal) -> Result<Proposed, Error> {
    let (scope, kind, name) = parts(&new.key);
    let raw = RawDigest::of(&new.text.body).to_string();
    let base_raw = new.text.base.as_deref().map(|base| RawDigest::of(base).to_string());
    let pending = db.all(sql::PENDING_PROPOSALS, values![scope, kind, name], |row| {
        Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<Option<String>>(2)?))
    })?;
    let is_same = |raw_digest: &String, base: &Option<String>| *raw_digest == raw && *base == base_raw;
    if let Some((id, ..)) = pending.iter().find(|(_, raw_digest, base)| is_same(raw_digest, base)) {
        let found = find(db, &id.clone().into())?;
        return found.map(|(found, _)| Proposed::Same(Box::new(found))).ok_or_else(|| unknown("the proposal", id));
    }
    if pending.len() >= new.most {
        return Ok(Proposed::Full);
    }
    let id = ProposalId::fresh_at(new.now);
    db.run(
        sql::INSERT_PROPOSAL,
        values![
            id.as_str(),
            scope,
            kind,
            name,
            new.base_digest.map(|digest| digest.to_string()),
            base_raw,
            new.new_digest.map(|digest| digest.to_string()),
            raw,
            new.dialect.map(Dialect::as_str),
            new.summary,
            new.reason,
            new.evidence,
            new.session,
            i64::from(new.poisoned),
            to_json(&new.findings),
            to_json(&new.diagnostics),
            new.actor.kind,
            new.actor.name,
            new.origin.kind,
            new.origin.name,
            new.now,
            new.text.base,
            new.text.body,
        ],
    )?;
    seals::set(db, SealedTable::Proposals, id.as_str())?;
    let (kept, _) = find(db, &id)?.ok_or_else(|| unknown("the proposal", id.as_str()))?;
    let event = NewEvent {
        findings: refused(&new.findings),
        ..event(EventKind::ProposalCreate, &kept, &new.actor, &new.origin)
    };
    events::append(db, &event, new.now)?;
    Ok(Proposed::Kept(Box::new(kept)))
}

pub(super) fn find(db: &dyn Sql, id: &ProposalId) -> Result<Option<(Proposal, ProposedText)>, Error> {
    // Who proposed which text is only what was recorded.
    seals::check(db, SealedTable::Proposals, id.as_str())?;
    db.one(sql::PROPOSAL, values![id.as_str()], |row| {
        let text = ProposedText { base: row.take(27)?, body: row.take(28)? };
        let proposal = proposal(row)?;
        let is_sealed = RawDigest::of(&text.body) == proposal.raw_digest
            && text.base.as_deref().map(RawDigest::of) == proposal.base_raw_digest;
        match is_sealed {
            true => Ok((proposal, text)),
            false => Err(Error::Damaged(format!("the text of {id} was changed after it was recorded").into())),
        }
    })
}

pub(super) fn list(
    db: &dyn Sql,
    agent: Option<&str>,
    state: Option<ProposalState>,
    before: Option<&ProposalId>,
    limit: usize,
) -> Result<Vec<Proposal>, Error> {
    let (agent, state) = (agent.unwrap_or_default(), state.map_or("", ProposalState::as_str));
    let before = before.map_or("", ProposalId::as_str);
    db.all(sql::PROPOSALS, values![agent, state, before, count(limit)], |row| proposal(row))
}

pub(super) fn review(db: &dyn Sql, id: &ProposalId, verdict: &Verdict) -> Result<Reviewed, Error> {
    let Some((before, _)) = find(db, id)? else { return Ok(Reviewed::Missing) };
    let Verdict { state, message, revision, actor, origin, now } = verdict;
    let changed = db.run(
        sql::REVIEW_PROPOSAL,
        values![
            state.as_str(),
            actor.kind,
            actor.name,
            message.as_ref().map(super::Message::as_str),
            now,
            revision.as_ref().map(RevisionId::as_str),
            id.as_str()
        ],
    )?;
    if changed == 0 {
        return Ok(Reviewed::Already(Box::new(before)));
    }
    seals::set(db, SealedTable::Proposals, id.as_str())?;
    let (reviewed, _) = find(db, id)?.ok_or_else(|| unknown("the proposal", id.as_str()))?;
    let kind = match state {
        ProposalState::Accepted => EventKind::ProposalAccept,
        ProposalState::Pending | ProposalState::Rejected => EventKind::ProposalReject,
    };
    let event = NewEvent { revision: revision.clone(), ..event(kind, &reviewed, actor, origin) };
    events::append(db, &event, *now)?;
    Ok(Reviewed::Done(Box::new(reviewed)))
}

fn event(kind: EventKind, proposal: &Proposal, actor: &Party, origin: &Party) -> NewEvent {
    NewEvent {
        digest: proposal.new_digest,
        session: proposal.session.clone().map(Into::into),
        proposal: Some(proposal.id.clone()),
        ..NewEvent::for_soul(kind, &proposal.key(), actor, origin)
    }
}

fn proposal(row: &Row) -> Result<Proposal, Error> {
    let key = key(row, 1)?;
    let state: String = row.get(4)?;
    let raw = |column: usize| {
        let stored: Option<String> = row.get(column)?;
        stored.map(|stored| stored.parse::<RawDigest>().map_err(|_| unknown("the digest", &stored))).transpose()
    };
    let dialect: Option<String> = row.get(9)?;
    let reviewer = match (row.get(22)?, row.get(23)?) {
        (Some(kind), Some(name)) => Some(Party { kind, name }),
        _ => None,
    };
    Ok(Proposal {
        id: row.get::<String>(0)?.into(),
        agent: key.name,
        kind: key.kind,
        scope: key.scope,
        state: ProposalState::stored(&state).ok_or_else(|| unknown("the state", &state))?,
        base_digest: digest(row, 5)?,
        base_raw_digest: raw(6)?,
        new_digest: digest(row, 7)?,
        raw_digest: raw(8)?.ok_or_else(|| unknown("the digest", ""))?,
        dialect: dialect.map(|name| name.parse().map_err(|_| unknown("the dialect", &name))).transpose()?,
        summary: row.get(10)?,
        reason: row.get(11)?,
        evidence: row.get(12)?,
        session: row.get(13)?,
        poisoned: row.get(14)?,
        findings: from_json("the findings", row.get(15)?)?.unwrap_or_default(),
        diagnostics: from_json("the diagnostics", row.get(16)?)?.unwrap_or_default(),
        proposer: Party { kind: row.get(17)?, name: row.get(18)? },
        origin: Party { kind: row.get(19)?, name: row.get(20)? },
        created_at: row.get(21)?,
        reviewer,
        review_message: row.get(24)?,
        reviewed_at: row.get(25)?,
        revision_id: text(row, 26)?,
    })
}
