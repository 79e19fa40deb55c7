use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use soul_core::digest::Digest;
use soul_core::model::Dialect;

use super::error::is_conversion;
use super::lineage::{self, Segment, segments};
use super::{Error, count, events, snapshots};
use crate::clock::Time;
use crate::ids::{RevisionId, SnapshotId};
use crate::store::chain::ChainVersion;
use crate::store::revision::{Broken, Message, Sealed};
use crate::store::statements as sql;
use crate::store::{
    Action, Among, Draft, EventKind, Link, NewEvent, NewSnapshot, PageBytes, Party, Profile, Revision, Settled, Tail,
};
use crate::workspace::{Kind, SoulKey};

pub(super) fn append(
    transaction: &Transaction<'_>,
    draft: &Draft,
    snapshot: Option<&NewSnapshot>,
) -> Result<Option<Revision>, Error> {
    let (scope, kind, name) = parts(&draft.key);
    if newest(transaction, &draft.key)? != draft.after.map(|link| (link, true)) {
        return Ok(None);
    }
    let settled = draft.action == Action::Adopt;
    let insert = |snapshot| snapshots::insert(transaction, snapshot, settled, draft.now);
    let snapshot = snapshot.map(insert).transpose()?;
    let revision = draft.seal(snapshot);
    let Sealed { actor, origin, .. } = &revision.sealed;
    transaction.prepare_cached(sql::INSERT_REVISION)?.execute(params![
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
    ])?;
    if settled {
        events::append(transaction, &NewEvent::for_revision(EventKind::Adopt, &revision), draft.now)?;
    } else if let Some(place) = draft.place {
        let row = params![revision.sealed.id.as_str(), place];
        transaction.prepare_cached(sql::SET_PENDING_PLACE)?.execute(row)?;
    }
    Ok(Some(revision))
}

/// The newest revision of a soul's record, and whether it is done.
fn newest(connection: &Connection, key: &SoulKey) -> Result<Option<(Link, bool)>, Error> {
    let (scope, kind, name) = parts(key);
    let row: Option<(i64, String, String)> = connection
        .prepare_cached(sql::LAST_LINK)?
        .query_row(params![scope, kind, name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let damaged = |_| Error::Damaged(format!("the last revision of {key} has no chain").into());
    match row {
        Some((seq, chain, state)) => Ok(Some((Link { seq, chain: chain.parse().map_err(damaged)? }, state == "done"))),
        // A soul of a forked workspace goes on where the parent's was.
        None => Ok(lineage::forked_from(connection, key)?.map(|(_, link)| (link, true))),
    }
}

pub(super) fn settle(
    transaction: &Transaction<'_>,
    revision: &Revision,
    settled: Settled,
    now: Time,
) -> Result<bool, Error> {
    let id = revision.sealed.id.as_str();
    let snapshot = revision.sealed.snapshot_id.as_ref().map(SnapshotId::as_str);
    transaction.prepare_cached(sql::DROP_PENDING_PLACE)?.execute([id])?;
    let kind = match settled {
        Settled::Done => {
            if transaction.prepare_cached(sql::FINISH_REVISION)?.execute([id])? == 0 {
                return Ok(false);
            }
            transaction.prepare_cached(sql::FINISH_SNAPSHOT)?.execute([snapshot])?;
            match revision.sealed.action {
                Action::Put => EventKind::Put,
                Action::Delete => EventKind::Delete,
                Action::Rollback => EventKind::Rollback,
                Action::Adopt => EventKind::Adopt,
            }
        }
        Settled::Dropped => {
            if transaction.prepare_cached(sql::DROP_REVISION)?.execute([id])? == 0 {
                return Ok(false);
            }
            transaction.prepare_cached(sql::DROP_SNAPSHOT_FILES)?.execute([snapshot])?;
            transaction.prepare_cached(sql::DROP_SNAPSHOT)?.execute([snapshot])?;
            EventKind::Dropped
        }
    };
    events::append(transaction, &NewEvent::for_revision(kind, revision), now)?;
    Ok(true)
}

pub(super) fn tail(connection: &Connection, key: &SoulKey) -> Result<Tail, Error> {
    let (scope, kind, name) = parts(key);
    let mut pending =
        many(connection, sql::PENDING, params![scope, kind, name])?.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut last = None;
    for Segment { key, upto } in segments(connection, key)? {
        let (scope, kind, name) = parts(&key);
        last = one(connection, sql::LAST_DONE, params![scope, kind, name, upto])?;
        if last.is_some() {
            break;
        }
    }
    let seq = |revision: &Revision| revision.sealed.seq;
    let newest = pending.pop_if(|newest| last.as_ref().is_none_or(|last| seq(last) < seq(newest)));
    Ok(Tail { last, pending: newest, stuck: pending })
}

pub(super) fn pinned_dialect(connection: &Connection, key: &SoulKey) -> Result<Option<Dialect>, Error> {
    let segments = segments(connection, key)?;
    let pinned = |row: &Row<'_>| Ok::<(Option<String>, Option<String>), _>((row.get(0)?, row.get(1)?));
    let mut found = None;
    for Segment { key, upto } in &segments {
        let (scope, kind, name) = parts(key);
        let mut statement = connection.prepare_cached(sql::PINNED_BY_REVISION)?;
        found = found.or(statement.query_row(params![scope, kind, name, upto], pinned).optional()?);
    }
    for Segment { key, .. } in &segments {
        let (scope, kind, name) = parts(key);
        let mut statement = connection.prepare_cached(sql::PINNED_BY_SNAPSHOT)?;
        if found.is_none() {
            found = statement.query_row(params![scope, kind, name], pinned).optional()?;
        }
    }
    let Some((dialect, profile)) = found else { return Ok(None) };
    let damaged = || Error::Damaged(format!("the record of {} names no dialect that is known", key.name).into());
    let profile = || serde_json::from_str::<Profile>(&profile?).ok().map(|profile| profile.dialect);
    let pinned = dialect.map_or_else(profile, |dialect| dialect.parse().ok());
    pinned.map(Some).ok_or_else(damaged)
}

pub(super) fn find(connection: &Connection, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error> {
    in_lineage(connection, sql::REVISION, key, id.as_str())
}

pub(super) fn beginning_with(
    connection: &Connection,
    among: Among<'_>,
    start: &str,
    limit: usize,
) -> Result<Vec<String>, Error> {
    let ids = |sql: &str, params: &[&dyn rusqlite::ToSql]| {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map(params, |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        Ok::<_, Error>(found)
    };
    let (sql, key) = match among {
        Among::Revisions(key) => (sql::REVISIONS_BEGINNING, key),
        Among::Digests(key) => (sql::DIGESTS_BEGINNING, key),
        Among::Sessions => return ids(sql::SESSIONS_BEGINNING, params![start, count(limit)]),
        Among::Runs => return ids(sql::RUNS_BEGINNING, params![start, count(limit)]),
        Among::Tokens => return ids(sql::TOKENS_BEGINNING, params![start, count(limit)]),
        Among::Mutations(key) => {
            let (scope, kind, name) = parts(key);
            return ids(sql::MUTATIONS_BEGINNING, params![scope, kind, name, start, count(limit)]);
        }
    };
    let mut found = Vec::new();
    for Segment { key, upto } in segments(connection, key)? {
        let (scope, kind, name) = parts(&key);
        found.extend(ids(sql, params![scope, kind, name, upto, start, count(limit)])?);
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(limit);
    Ok(found)
}

pub(super) fn repeated(connection: &Connection, key: &SoulKey, repeated: &str) -> Result<Option<Revision>, Error> {
    in_lineage(connection, sql::REPEATED_REVISION, key, repeated)
}

/// One revision of a soul, of its own or of the record that it continues.
fn in_lineage(connection: &Connection, sql: &str, key: &SoulKey, by: &str) -> Result<Option<Revision>, Error> {
    for Segment { key, upto } in segments(connection, key)? {
        let (scope, kind, name) = parts(&key);
        let found = one(connection, sql, params![scope, kind, name, by])?;
        if let Some(found) = found.filter(|found| found.sealed.seq <= upto) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

pub(super) fn history(
    connection: &Connection,
    key: &SoulKey,
    before: Option<i64>,
    limit: usize,
    bodies: bool,
) -> Result<Vec<Revision>, Error> {
    let statement = if bodies { sql::HISTORY_WITH_BODIES } else { sql::HISTORY };
    let mut page = Page::default();
    for Segment { key, upto } in segments(connection, key)? {
        let (scope, kind, name) = parts(&key);
        let before = before.unwrap_or(i64::MAX).min(upto.saturating_add(1));
        page.fill(connection, statement, params![scope, kind, name, before, count(limit - page.rows.len())])?;
        if page.is_full || page.rows.len() >= limit {
            break;
        }
    }
    Ok(page.rows.into_iter().collect::<Result<_, _>>()?)
}

pub(super) fn chain(
    connection: &Connection,
    key: &SoulKey,
    after: i64,
    limit: usize,
) -> Result<Vec<Result<Revision, Broken>>, Error> {
    let mut page = Page::default();
    for Segment { key, upto } in segments(connection, key)?.into_iter().rev() {
        let (scope, kind, name) = parts(&key);
        page.fill(connection, sql::CHAIN, params![scope, kind, name, after, upto, count(limit - page.rows.len())])?;
        if page.is_full || page.rows.len() >= limit {
            break;
        }
    }
    Ok(page.rows)
}

pub(super) fn souls(connection: &Connection) -> Result<Vec<SoulKey>, Error> {
    let mut statement = connection.prepare_cached(sql::SOULS)?;
    let mut rows = statement.query([])?;
    let mut souls = Vec::new();
    while let Some(row) = rows.next()? {
        souls.push(key(row, 0)?);
    }
    Ok(souls)
}

pub(super) fn link(connection: &Connection, key: &SoulKey, seq: i64) -> Result<Option<Digest>, Error> {
    for Segment { key, .. } in segments(connection, key)?.into_iter().filter(|segment| seq <= segment.upto) {
        let (scope, kind, name) = parts(&key);
        let mut statement = connection.prepare_cached(sql::LINK)?;
        let chain: Option<String> =
            statement.query_row(params![scope, kind, name, seq], |row| row.get(0)).optional()?;
        if let Some(chain) = chain {
            return Ok(chain.parse().ok());
        }
    }
    Ok(None)
}

/// The key in three columns.
pub(super) fn key(row: &Row<'_>, first: usize) -> Result<SoulKey, Error> {
    let kind: String = row.get(first + 1)?;
    let kind = Kind::stored(&kind).ok_or_else(|| super::unknown("the kind", &kind))?;
    Ok(SoulKey { scope: row.get(first)?, kind, name: row.get(first + 2)? })
}

pub(super) fn parts(key: &SoulKey) -> (&str, &'static str, &str) {
    (&key.scope, key.kind.as_str(), &key.name)
}

fn one(connection: &Connection, sql: &str, params: &[&dyn rusqlite::ToSql]) -> Result<Option<Revision>, Error> {
    Ok(many(connection, sql, params)?.into_iter().next().transpose()?)
}

fn many(
    connection: &Connection,
    sql: &str,
    params: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Result<Revision, Broken>>, Error> {
    let mut page = Page::default();
    page.fill(connection, sql, params)?;
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
    fn fill(&mut self, connection: &Connection, sql: &str, params: &[&dyn rusqlite::ToSql]) -> Result<(), Error> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        while let Some(row) = rows.next()? {
            let revision = revision(row)?;
            self.is_full = revision.as_ref().is_ok_and(|revision| self.bytes.is_full_after(revision));
            self.rows.push(revision);
            if self.is_full {
                break;
            }
        }
        Ok(())
    }
}

fn revision(row: &Row<'_>) -> Result<Result<Revision, Broken>, Error> {
    let body = row.get(BODY)?;
    Ok(sealed(row)?.map(|(sealed, chain)| Revision { sealed, chain, body }))
}

/// The column after those that every query has in common: the body, if the query wants it.
const BODY: usize = 22;

/// A row as a revision. One with a value that we never write is broken, and named by its id.
fn sealed(row: &Row<'_>) -> Result<Result<(Sealed, Digest), Broken>, Error> {
    // An id that is no text is named as well as it can be.
    let id = String::from_utf8_lossy(row.get_ref(0)?.as_bytes().unwrap_or_default()).into_owned();
    let broken = || Broken(id.clone());
    // A text that is not UTF-8 is none that we write.
    let is_garbled = |column: usize| match row.get_ref(column) {
        Ok(ValueRef::Text(bytes)) => std::str::from_utf8(bytes).is_err(),
        _ => false,
    };
    if (0..BODY).any(is_garbled) {
        return Ok(Err(broken()));
    }
    let text = |column: usize| row.get::<_, Option<String>>(column);
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
    let created_at = match row.get(17) {
        Ok(created_at) => created_at,
        Err(error) if is_conversion(&error) => return Ok(Err(broken())),
        Err(error) => return Err(error.into()),
    };
    let message = match text(21)?.map(Message::try_from).transpose() {
        Ok(message) => message,
        Err(_) => return Ok(Err(broken())),
    };
    // A message that the chain does not cover is one that was added later.
    let chain_version = match ChainVersion::try_from(row.get::<_, i64>(20)?) {
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
