use super::seal::SealedTable;
use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::{count, digest, from_json, shown, text, to_json, unknown};
use super::{Binding, Error, Party, Session, StoredReceipt, seals, snapshots};
use crate::ids::{ReceiptId, SessionId, SnapshotId};

/// Records what a session is given, in the transaction that binds it.
pub(super) fn record(db: &dyn Sql, session: &Session, binding: &Binding, actor: &Party) -> Result<(), Error> {
    if binding.prompt.is_none() {
        return Ok(());
    }
    let bound = session.soul_snapshot_id.as_ref();
    let snapshot = bound.map(|id| snapshots::find(db, id)).transpose()?.flatten();
    let Some(prompt) = binding.prompt.make(snapshot.as_ref()) else { return Ok(()) };
    let id = ReceiptId::fresh_at(session.captured_at);
    db.run(
        sql::INSERT_RECEIPT,
        values![
            id.as_str(),
            session.id.as_str(),
            session.captured_at,
            &actor.kind,
            &actor.name,
            session.soul_snapshot_id.as_ref().map(SnapshotId::as_str),
            session.soul_digest.map(|digest| digest.to_string()),
            to_json(&prompt),
        ],
    )?;
    seals::set(db, SealedTable::Receipts, id.as_str())
}

/// The receipts of one session or of all, newest first. One that differs from what was recorded is an error.
pub(super) fn list(db: &dyn Sql, session: Option<&SessionId>, limit: usize) -> Result<Vec<StoredReceipt>, Error> {
    let session = session.map_or("", SessionId::as_str);
    db.all(sql::RECEIPTS, values![session, count(limit)], |row| receipt(row))
}

fn receipt(row: &Row) -> Result<StoredReceipt, Error> {
    if !seals::holds(row, SealedTable::Receipts) {
        let id = shown(row, 0);
        return Err(Error::Damaged(format!("the receipt {id} was changed after it was recorded").into()));
    }
    let prompt: Option<String> = row.get(7)?;
    Ok(StoredReceipt {
        id: row.get::<String>(0)?.into(),
        session_id: row.get::<String>(1)?.into(),
        captured_at: row.get(2)?,
        caller: Party { kind: row.get(3)?, name: row.get(4)? },
        snapshot_id: text(row, 5)?,
        soul_digest: digest(row, 6)?,
        prompt: from_json("the prompt", prompt)?.ok_or_else(|| unknown("the prompt", ""))?,
    })
}
