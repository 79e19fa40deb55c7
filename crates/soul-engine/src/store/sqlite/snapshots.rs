use rusqlite::{Connection, OptionalExtension, Transaction, params};
use soul_core::digest::Digest;

use super::revisions::{key, parts};
use super::values::to_json;
use super::{Error, count};
use crate::clock::Time;
use crate::ids::SnapshotId;
use crate::store::snapshot::bundle_digest;
use crate::store::statements as sql;
use crate::store::{NewSnapshot, Snapshot};

/// Stores a snapshot, or finds the one that is the same. One that is still pending becomes done by being
/// used.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    new: &NewSnapshot,
    settled: bool,
    now: Time,
) -> Result<SnapshotId, Error> {
    let (scope, kind, name) = parts(&new.key);
    let (digest, bundle) = (new.digest.to_string(), bundle_digest(&new.files).to_string());
    let config = new.config_digest.to_string();
    let same: Option<String> = transaction
        .prepare_cached(sql::FIND_SNAPSHOT)?
        .query_row(params![scope, kind, name, digest, bundle, config], |row| row.get(0))
        .optional()?;
    if let Some(id) = same {
        if settled {
            transaction.prepare_cached(sql::FINISH_SNAPSHOT)?.execute([&id])?;
        }
        return Ok(id.into());
    }
    let id = SnapshotId::fresh_at(now);
    let profile = to_json(&new.profile);
    let state = if settled { "done" } else { "pending" };
    let seal = seal(&[id.as_str(), scope, kind, name, &digest, &bundle, &config, &profile]);
    transaction.prepare_cached(sql::INSERT_SNAPSHOT)?.execute(params![
        id.as_str(),
        scope,
        kind,
        name,
        digest,
        bundle,
        config,
        profile,
        seal,
        now,
        state
    ])?;
    for (name, bytes) in &new.files {
        transaction.prepare_cached(sql::INSERT_SNAPSHOT_FILE)?.execute(params![id.as_str(), name, bytes])?;
    }
    Ok(id)
}

/// Binds every column of a snapshot to its id; the files are bound by the bundle digest.
fn seal(parts: &[&str]) -> String {
    let lines: Vec<String> = parts.iter().map(|part| format!("{} {part}\n", part.len())).collect();
    Digest::of(lines.iter().map(String::as_bytes)).to_string()
}

pub(super) fn find(connection: &Connection, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
    let mut statement = connection.prepare_cached(sql::SNAPSHOT)?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let damaged = || Error::Damaged(format!("the snapshot {id} was changed after it was recorded").into());
    let parts = (0..9).map(|column| row.get(column)).collect::<Result<Vec<String>, _>>().map_err(|_| damaged())?;
    let texts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let [.., digest, bundle, _, profile, sealed] = texts.as_slice() else { return Err(damaged()) };
    let files = connection
        .prepare_cached(sql::SNAPSHOT_FILES)?
        .query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()
        .map_err(|_| damaged())?;
    if seal(&texts[..8]) != *sealed || bundle_digest(&files).to_string() != *bundle {
        return Err(damaged());
    }
    Ok(Some(Snapshot {
        id: id.clone(),
        key: key(row, 1)?,
        digest: digest.parse().map_err(|_| damaged())?,
        profile: serde_json::from_str(profile).map_err(|_| damaged())?,
        files,
        created_at: row.get(9)?,
    }))
}

pub(super) fn ids(connection: &Connection, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error> {
    let mut statement = connection.prepare_cached(sql::SNAPSHOT_IDS)?;
    let after = after.map_or("", SnapshotId::as_str);
    let ids = statement.query_map(params![after, count(limit)], |row| row.get::<_, String>(0))?;
    Ok(ids.map(|id| id.map(Into::into)).collect::<Result<_, _>>()?)
}
