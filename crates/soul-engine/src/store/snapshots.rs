use soul_core::digest::Digest;

use super::snapshot::bundle_digest;
use super::sql::{Sql, values};
use super::statements as sql;
use super::values::{count, key, parts, to_json};
use super::{Error, NewSnapshot, Snapshot};
use crate::clock::Time;
use crate::ids::SnapshotId;

/// Stores a snapshot, or finds the one that is the same. One that is still pending becomes done by being
/// used.
pub(super) fn insert(db: &dyn Sql, new: &NewSnapshot, settled: bool, now: Time) -> Result<SnapshotId, Error> {
    let (scope, kind, name) = parts(&new.key);
    let (digest, bundle) = (new.digest.to_string(), bundle_digest(&new.files).to_string());
    let config = new.config_digest.to_string();
    let id = SnapshotId::fresh_at(now);
    let profile = to_json(&new.profile);
    let state = if settled { "done" } else { "pending" };
    let seal = seal(&[id.as_str(), scope, kind, name, &digest, &bundle, &config, &profile]);
    let find = || db.one(sql::FIND_SNAPSHOT, values![scope, kind, name, digest, bundle, config], |row| row.get(0));
    let mut same: Option<String> = find()?;
    if same.is_none() {
        let inserted = db.run(
            sql::INSERT_SNAPSHOT,
            values![id.as_str(), scope, kind, name, digest, bundle, config, profile, seal, now, state],
        )?;
        // Another keeper may have stored the same in the meantime.
        same = if inserted > 0 { None } else { find()? };
    }
    if let Some(id) = same {
        if settled {
            db.run(sql::FINISH_SNAPSHOT, values![&id])?;
        }
        return Ok(id.into());
    }
    for (name, bytes) in &new.files {
        db.run(sql::INSERT_SNAPSHOT_FILE, values![id.as_str(), name, bytes])?;
    }
    Ok(id)
}

/// Binds every column of a snapshot to its id; the files are bound by the bundle digest.
fn seal(parts: &[&str]) -> String {
    let lines: Vec<String> = parts.iter().map(|part| format!("{} {part}\n", part.len())).collect();
    Digest::of(lines.iter().map(String::as_bytes)).to_string()
}

pub(super) fn find(db: &dyn Sql, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
    let damaged = || Error::Damaged(format!("the snapshot {id} was changed after it was recorded").into());
    let found = db.one(sql::SNAPSHOT, values![id.as_str()], |row| {
        let parts = (0..9).map(|column| row.get(column)).collect::<Result<Vec<String>, _>>().map_err(|_| damaged())?;
        Ok((parts, key(row, 1)?, row.get(9)?))
    })?;
    let Some((parts, key, created_at)) = found else { return Ok(None) };
    let texts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let [.., digest, bundle, _, profile, sealed] = texts.as_slice() else { return Err(damaged()) };
    let files = db.all(sql::SNAPSHOT_FILES, values![id.as_str()], |row| Ok((row.get(0)?, row.take(1)?)));
    let files = files?.into_iter().collect();
    if seal(&texts[..8]) != *sealed || bundle_digest(&files).to_string() != *bundle {
        return Err(damaged());
    }
    Ok(Some(Snapshot {
        id: id.clone(),
        key,
        digest: digest.parse().map_err(|_| damaged())?,
        profile: serde_json::from_str(profile).map_err(|_| damaged())?,
        files,
        created_at,
    }))
}

pub(super) fn ids(db: &dyn Sql, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error> {
    let after = after.map_or("", SnapshotId::as_str);
    db.all(sql::SNAPSHOT_IDS, values![after, count(limit)], |row| Ok(row.get::<String>(0)?.into()))
}
