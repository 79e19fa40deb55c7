use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::revisions::{key, parts};
use super::{Error, unknown};
use crate::clock::Time;
use crate::ids::SnapshotId;
use crate::store::statements as sql;
use crate::store::{NewSnapshot, Snapshot};

/// Keeps a snapshot, or finds the one that is the same. One that somebody else has not settled yet
/// becomes settled by being used.
pub(super) fn keep(transaction: &Transaction<'_>, new: &NewSnapshot, settled: bool) -> Result<SnapshotId, Error> {
    let (scope, kind, name) = parts(&new.key);
    let (digest, bundle) = (new.digest.to_string(), new.bundle_digest().to_string());
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
    let id = SnapshotId::fresh();
    // Texts and numbers only: nothing that could fail to be written.
    let profile = serde_json::to_string(&new.profile).unwrap_or_default();
    let state = if settled { "done" } else { "pending" };
    transaction.prepare_cached(sql::INSERT_SNAPSHOT)?.execute(params![
        id.as_str(),
        scope,
        kind,
        name,
        digest,
        bundle,
        config,
        profile,
        Time::now().as_str(),
        state
    ])?;
    for (name, bytes) in &new.files {
        transaction.prepare_cached(sql::INSERT_SNAPSHOT_FILE)?.execute(params![id.as_str(), name, bytes])?;
    }
    Ok(id)
}

pub(super) fn find(connection: &Connection, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
    let mut statement = connection.prepare_cached(sql::SNAPSHOT)?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (digest, profile): (String, String) = (row.get(4)?, row.get(5)?);
    let files = connection
        .prepare_cached(sql::SNAPSHOT_FILES)?
        .query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(Some(Snapshot {
        id: id.clone(),
        key: key(row, 1)?,
        digest: digest.parse().map_err(|_| unknown("the digest", &digest))?,
        profile: serde_json::from_str(&profile)
            .map_err(|_| Error::Damaged(format!("the snapshot {id} does not hold what a snapshot holds")))?,
        files,
        created_at: Time::stored(row.get(6)?),
    }))
}
