use std::ops::ControlFlow;
use std::time::Duration;

use soul_core::digest::Digest;
use soul_core::model::Dialect;

use super::chain::ChainVersion;
use super::lineage::{self, Segment, segments};
use super::revision::{Broken, Message, Sealed};
use super::sql::{Row, Sql, Value, values};
use super::statements as sql;
use super::values::{count, key, parts};
use super::{
    Action, Among, Draft, Error, EventKind, Link, NewEvent, NewSnapshot, PageBytes, Party, Profile, Revision, Settled,
    Tail, events, snapshots,
};
use crate::clock::Time;
use crate::ids::{RevisionId, SnapshotId};
use crate::workspace::SoulKey;

/// How long others wait for the keeper that is writing a revision in a directory that they do not have.
const LEASE: Duration = Duration::from_secs(10);

pub(super) fn append(db: &dyn Sql, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Option<Revision>, Error> {
    let (scope, kind, name) = parts(&draft.key);
    if newest(db, &draft.key)? != draft.after.map(|link| (link, true)) {
        return Ok(None);
    }
    let settled = draft.action == Action::Adopt;
    let insert = |snapshot| snapshots::insert(db, snapshot, settled, draft.now);
    let snapshot = snapshot.map(insert).transpose()?;
    let revision = draft.seal(snapshot);
    let Sealed { actor, origin, .. } = &revision.sealed;
    db.run(
        sql::INSERT_REVISION,
        values![
            revision.sealed.id.as_str(),
            scope,
            kind,
            name,
            revision.sealed.seq,
            revision.sealed.action.as_str(),
            revision.sealed.previous_digest.map(|digest| digest.to_string()),
            revision.sealed.new_digest.map(|digest| digest.to_string()),
            revision.sealed.raw_digest.map(|digest| digest.to_string()),
            revision.sealed.dialect.map(|dialect| dialect.as_str()),
            revision.sealed.snapshot_id.as_ref().map(SnapshotId::as_str),
            revision.sealed.idempotency_key,
            revision.sealed.request_digest.map(|digest| digest.to_string()),
            actor.kind,
            actor.name,
            origin.kind,
            origin.name,
            revision.sealed.created_at,
            revision.chain.to_string(),
            revision.sealed.reason,
            i64::from(revision.sealed.chain_version),
            revision.sealed.message.as_ref().map(Message::as_str),
            if settled { "done" } else { "pending" },
            revision.body,
        ],
    )?;
    if settled {
        events::append(db, &NewEvent::for_revision(EventKind::Adopt, &revision), draft.now)?;
    } else if let Some(place) = draft.place {
        db.run(sql::SET_PENDING_PLACE, values![revision.sealed.id.as_str(), place, draft.now.after(LEASE)])?;
    }
    Ok(Some(revision))
}

/// The newest revision of a soul's record, and whether it is done.
fn newest(db: &dyn Sql, key: &SoulKey) -> Result<Option<(Link, bool)>, Error> {
    let (scope, kind, name) = parts(key);
    let row: Option<(i64, String, String)> =
        db.one(sql::LAST_LINK, values![scope, kind, name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let damaged = |_| Error::Damaged(format!("the last revision of {key} has no chain").into());
    match row {
        Some((seq, chain, state)) => Ok(Some((Link { seq, chain: chain.parse().map_err(damaged)? }, state == "done"))),
        // A soul of a forked workspace goes on where the parent's was.
        None => Ok(lineage::forked_from(db, key)?.map(|(_, link)| (link, true))),
    }
}

pub(super) fn settle(db: &dyn Sql, revision: &Revision, settled: Settled, now: Time) -> Result<bool, Error> {
    let id = revision.sealed.id.as_str();
    let snapshot = revision.sealed.snapshot_id.as_ref().map(SnapshotId::as_str);
    db.run(sql::DROP_PENDING_PLACE, values![id])?;
    let kind = match settled {
        Settled::Done => {
            if db.run(sql::FINISH_REVISION, values![id])? == 0 {
                return Ok(false);
            }
            db.run(sql::FINISH_SNAPSHOT, values![snapshot])?;
            match revision.sealed.action {
                Action::Put => EventKind::Put,
                Action::Delete => EventKind::Delete,
                Action::Rollback => EventKind::Rollback,
                Action::Adopt => EventKind::Adopt,
            }
        }
        Settled::Dropped => {
            if db.run(sql::DROP_REVISION, values![id])? == 0 {
                return Ok(false);
            }
            db.run(sql::DROP_SNAPSHOT_FILES, values![snapshot])?;
            db.run(sql::DROP_SNAPSHOT, values![snapshot])?;
            EventKind::Dropped
        }
    };
    events::append(db, &NewEvent::for_revision(kind, revision), now)?;
    Ok(true)
}

pub(super) fn tail(db: &dyn Sql, key: &SoulKey) -> Result<Tail, Error> {
    let (scope, kind, name) = parts(key);
    let mut pending = many(db, sql::PENDING, values![scope, kind, name])?.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut last = None;
    for Segment { key, upto } in segments(db, key)? {
        let (scope, kind, name) = parts(&key);
        last = one(db, sql::LAST_DONE, values![scope, kind, name, upto])?;
        if last.is_some() {
            break;
        }
    }
    let seq = |revision: &Revision| revision.sealed.seq;
    let newest = pending.pop_if(|newest| last.as_ref().is_none_or(|last| seq(last) < seq(newest)));
    Ok(Tail { last, pending: newest, stuck: pending })
}

pub(super) fn pinned_dialect(db: &dyn Sql, key: &SoulKey) -> Result<Option<Dialect>, Error> {
    let segments = segments(db, key)?;
    let pinned = |row: &mut Row| Ok::<(Option<String>, Option<String>), _>((row.get(0)?, row.get(1)?));
    let mut found = None;
    for Segment { key, upto } in &segments {
        let (scope, kind, name) = parts(key);
        if found.is_none() {
            found = db.one(sql::PINNED_BY_REVISION, values![scope, kind, name, *upto], pinned)?;
        }
    }
    for Segment { key, .. } in &segments {
        let (scope, kind, name) = parts(key);
        if found.is_none() {
            found = db.one(sql::PINNED_BY_SNAPSHOT, values![scope, kind, name], pinned)?;
        }
    }
    let Some((dialect, profile)) = found else { return Ok(None) };
    let damaged = || Error::Damaged(format!("the record of {} names no dialect that is known", key.name).into());
    let profile = || serde_json::from_str::<Profile>(&profile?).ok().map(|profile| profile.dialect);
    let pinned = dialect.map_or_else(profile, |dialect| dialect.parse().ok());
    pinned.map(Some).ok_or_else(damaged)
}

pub(super) fn find(db: &dyn Sql, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error> {
    in_lineage(db, sql::REVISION, key, id.as_str())
}

pub(super) fn beginning_with(db: &dyn Sql, among: Among<'_>, start: &str, limit: usize) -> Result<Vec<String>, Error> {
    let ids = |sql: &str, values: &[Value<'_>]| db.all(sql, values, |row| row.get::<String>(0));
    let (sql, key) = match among {
        Among::Revisions(key) => (sql::REVISIONS_BEGINNING, key),
        Among::Digests(key) => (sql::DIGESTS_BEGINNING, key),
        Among::Sessions => return ids(sql::SESSIONS_BEGINNING, values![start, count(limit)]),
        Among::Runs => return ids(sql::RUNS_BEGINNING, values![start, count(limit)]),
        Among::Tokens => return ids(sql::TOKENS_BEGINNING, values![start, count(limit)]),
        Among::Proposals => return ids(sql::PROPOSALS_BEGINNING, values![start, count(limit)]),
        Among::Mutations(key) => {
            let (scope, kind, name) = parts(key);
            return ids(sql::MUTATIONS_BEGINNING, values![scope, kind, name, start, count(limit)]);
        }
    };
    let mut found = Vec::new();
    for Segment { key, upto } in segments(db, key)? {
        let (scope, kind, name) = parts(&key);
        found.extend(ids(sql, values![scope, kind, name, upto, start, count(limit)])?);
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(limit);
    Ok(found)
}

pub(super) fn repeated(db: &dyn Sql, key: &SoulKey, repeated: &str) -> Result<Option<Revision>, Error> {
    in_lineage(db, sql::REPEATED_REVISION, key, repeated)
}

/// One revision of a soul, of its own or of the record that it continues.
fn in_lineage(db: &dyn Sql, sql: &str, key: &SoulKey, by: &str) -> Result<Option<Revision>, Error> {
    for Segment { key, upto } in segments(db, key)? {
        let (scope, kind, name) = parts(&key);
        let found = one(db, sql, values![scope, kind, name, by])?;
        if let Some(found) = found.filter(|found| found.sealed.seq <= upto) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

pub(super) fn history(
    db: &dyn Sql,
    key: &SoulKey,
    before: Option<i64>,
    limit: usize,
    bodies: bool,
) -> Result<Vec<Revision>, Error> {
    let statement = if bodies { sql::HISTORY_WITH_BODIES } else { sql::HISTORY };
    let mut page = Page::default();
    for Segment { key, upto } in segments(db, key)? {
        let (scope, kind, name) = parts(&key);
        let before = before.unwrap_or(i64::MAX).min(upto.saturating_add(1));
        page.fill(db, statement, values![scope, kind, name, before, count(limit - page.rows.len())])?;
        if page.is_full || page.rows.len() >= limit {
            break;
        }
    }
    Ok(page.rows.into_iter().collect::<Result<_, _>>()?)
}

pub(super) fn chain(
    db: &dyn Sql,
    key: &SoulKey,
    after: i64,
    limit: usize,
) -> Result<Vec<Result<Revision, Broken>>, Error> {
    let mut page = Page::default();
    for Segment { key, upto } in segments(db, key)?.into_iter().rev() {
        let (scope, kind, name) = parts(&key);
        page.fill(db, sql::CHAIN, values![scope, kind, name, after, upto, count(limit - page.rows.len())])?;
        if page.is_full || page.rows.len() >= limit {
            break;
        }
    }
    Ok(page.rows)
}

pub(super) fn souls(db: &dyn Sql) -> Result<Vec<SoulKey>, Error> {
    db.all(sql::SOULS, &[], |row| key(row, 0))
}

pub(super) fn link(db: &dyn Sql, key: &SoulKey, seq: i64) -> Result<Option<Digest>, Error> {
    for Segment { key, .. } in segments(db, key)?.into_iter().filter(|segment| seq <= segment.upto) {
        let (scope, kind, name) = parts(&key);
        let chain: Option<String> = db.one(sql::LINK, values![scope, kind, name, seq], |row| row.get(0))?;
        if let Some(chain) = chain {
            return Ok(chain.parse().ok());
        }
    }
    Ok(None)
}

fn one(db: &dyn Sql, sql: &str, values: &[Value<'_>]) -> Result<Option<Revision>, Error> {
    Ok(many(db, sql, values)?.into_iter().next().transpose()?)
}

fn many(db: &dyn Sql, sql: &str, values: &[Value<'_>]) -> Result<Vec<Result<Revision, Broken>>, Error> {
    let mut page = Page::default();
    page.fill(db, sql, values)?;
    Ok(page.rows)
}

/// Rows of one query after the other, up to as many bytes as a page has.
#[derive(Default)]
struct Page {
    rows: Vec<Result<Revision, Broken>>,
    bytes: PageBytes,
    is_full: bool,
}

impl Page {
    fn fill(&mut self, db: &dyn Sql, sql: &str, values: &[Value<'_>]) -> Result<(), Error> {
        db.each(sql, values, &mut |row| {
            let revision = revision(row)?;
            self.is_full = revision.as_ref().is_ok_and(|revision| self.bytes.is_full_after(revision));
            self.rows.push(revision);
            Ok(if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }
}

fn revision(row: &mut Row) -> Result<Result<Revision, Broken>, Error> {
    let body = row.take(BODY)?;
    Ok(sealed(row)?.map(|(sealed, chain)| Revision { sealed, chain, body }))
}

/// The column after those that every query has in common: the body, if the query wants it.
const BODY: usize = 22;

/// A row as a revision. One with a value that we never write is broken, and named by its id.
fn sealed(row: &Row) -> Result<Result<(Sealed, Digest), Broken>, Error> {
    // An id that is no text is named as well as it can be.
    let id = match row.value(0) {
        Value::Text(id) => id.clone().into_owned(),
        Value::Garbled(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    };
    let broken = || Broken(id.clone());
    // A text that is not UTF-8 is none that we write.
    if (0..BODY).any(|column| matches!(row.value(column), Value::Garbled(_))) {
        return Ok(Err(broken()));
    }
    let text = |column: usize| row.get::<Option<String>>(column);
    macro_rules! parsed {
        ($column:literal) => {
            match text($column)?.map(|text| text.parse()).transpose() {
                Ok(value) => value,
                Err(_) => return Ok(Err(broken())),
            }
        };
    }
    let action: String = row.get(5)?;
    let (Some(action), Some(chain), Ok(key)) = (Action::stored(&action), parsed!(18), key(row, 1)) else {
        return Ok(Err(broken()));
    };
    let Ok(created_at) = row.get(17) else { return Ok(Err(broken())) };
    let message = match text(21)?.map(Message::try_from).transpose() {
        Ok(message) => message,
        Err(_) => return Ok(Err(broken())),
    };
    // A message that the chain does not cover is one that was added later.
    let chain_version = match ChainVersion::try_from(row.get::<i64>(20)?) {
        Ok(version) if version >= ChainVersion::covering(message.as_ref()) => version,
        _ => return Ok(Err(broken())),
    };
    let sealed = Sealed {
        id: id.clone().into(),
        scope: key.scope,
        kind: key.kind,
        agent: key.name,
        seq: row.get(4)?,
        action,
        previous_digest: parsed!(6),
        new_digest: parsed!(7),
        raw_digest: parsed!(8),
        dialect: parsed!(9),
        snapshot_id: text(10)?.map(Into::into),
        idempotency_key: text(11)?,
        request_digest: parsed!(12),
        reason: text(19)?,
        actor: Party { kind: row.get(13)?, name: row.get(14)? },
        origin: Party { kind: row.get(15)?, name: row.get(16)? },
        created_at,
        message,
        chain_version,
    };
    Ok(Ok((sealed, chain)))
}
