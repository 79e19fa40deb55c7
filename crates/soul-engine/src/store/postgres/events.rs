//! The reading order of events: transactions commit in another order than they begin, so an event gets its number
//! after its commit, under one lock. A reader that goes on after a number misses nothing.

use super::link::Link;
use crate::store::Error;

/// The lock for numbering events.
const NUMBERING: i64 = 0x736f_756c_0000_0002;

/// The channel on which keepers tell each other that something happened.
pub(super) const CHANNEL: &str = "soul_events";

const NUMBER: &str = "WITH next AS (SELECT position, row_number() OVER (ORDER BY position) \
    + (SELECT COALESCE(MAX(seq), 0) FROM events) AS seq FROM events WHERE seq IS NULL) \
    UPDATE events SET seq = next.seq FROM next WHERE events.position = next.position";

/// Gives a number to every event that has been committed and has none, and tells other keepers.
pub(super) fn number(link: &mut Link) -> Result<(), Error> {
    let waiting = link.client.query_opt("SELECT 1 FROM events WHERE seq IS NULL LIMIT 1", &[])?;
    if waiting.is_none() {
        return Ok(());
    }
    // One message is one transaction: a keeper that is frozen or cut off in the middle keeps the lock from nobody.
    Ok(link.client.batch_execute(&format!("SELECT pg_advisory_xact_lock({NUMBERING}); {NUMBER}; NOTIFY {CHANNEL}"))?)
}

/// How often a moment is looked for at which every event has its number.
const MOMENTS: usize = 1000;

/// Begins a transaction that reads everything as it is at one moment, at which every event has its number.
pub(super) fn begin_numbered(link: &mut Link) -> Result<(), Error> {
    for _ in 0..MOMENTS {
        number(link)?;
        link.client.batch_execute(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
             SET LOCAL idle_in_transaction_session_timeout = 0",
        )?;
        if link.client.query_opt("SELECT 1 FROM events WHERE seq IS NULL LIMIT 1", &[])?.is_none() {
            return Ok(());
        }
        link.client.batch_execute("ROLLBACK")?;
    }
    Err(Error::Collided)
}
