//! Locks by name that the server keeps for as long as a connection is open.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use r2d2::PooledConnection;
use soul_core::digest::RawDigest;

use super::link::Link;
use super::pool::{self, Links, Manager};
use crate::store::Error;
use crate::workspace::{Kind, SoulKey};

/// A lock, with the connection that holds it.
pub(super) struct Advisory {
    link: Mutex<PooledConnection<Manager>>,
    number: i64,
}

impl Drop for Advisory {
    fn drop(&mut self) {
        // A connection that is lost has lost its locks.
        let link = self.link.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = link.client.batch_execute(&format!("SELECT pg_advisory_unlock({})", self.number));
    }
}

/// The number that stands for a name.
pub(super) fn number(name: &[&str]) -> i64 {
    let digest = RawDigest::of(name.join("\n").as_bytes());
    digest.as_bytes().first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
}

/// Locks a soul for all keepers; the library is locked as one. `None` if another keeper has the lock for too long.
pub(super) fn acquire(pool: &Links, key: &SoulKey, until: Option<Instant>) -> Result<Option<Advisory>, Error> {
    let name = if key.kind == Kind::Library { "" } else { &key.name };
    let number = number(&["change", &key.scope, key.kind.as_str(), name]);
    let mut link = pool::get(pool)?;
    let mut is_free = lock(&mut link, number, until);
    // The server may have closed the connection meanwhile.
    if matches!(is_free, Err(Error::Unavailable(_))) {
        drop(link);
        link = pool::get_tested(pool)?;
        is_free = lock(&mut link, number, until);
    }
    Ok(is_free?.then(|| Advisory { link: Mutex::new(link), number }))
}

fn lock(link: &mut Link, number: i64, until: Option<Instant>) -> Result<bool, Error> {
    let Some(until) = until else {
        return Ok(link.client.query_one("SELECT pg_try_advisory_lock($1)", &[&number])?.get(0));
    };
    let patience = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1)).as_millis();
    let wait = format!(
        "SET lock_timeout = {patience}; SELECT pg_advisory_lock({number}); \
                 SET lock_timeout = '10s'"
    );
    match link.client.batch_execute(&wait).map_err(Error::from) {
        Ok(()) => Ok(true),
        Err(Error::Busy) => {
            link.client.batch_execute("SET lock_timeout = '10s'")?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}
