//! The record of a forked workspace: its own rows, before them those of the parent up to the fork, and so on.

use super::sql::{Sql, values};
use super::statements as sql;
use super::values::parts;
use super::{Error, Link};
use crate::workspace::SoulKey;

/// Forks of forks: more than anybody makes, and an end for rows that name each other.
const DEEPEST: usize = 64;

/// A part of a soul's record: the rows of one scope up to a number.
pub(super) struct Segment {
    pub(super) key: SoulKey,
    pub(super) upto: i64,
}

/// The parts of a soul's record, the newest first.
pub(super) fn segments(db: &dyn Sql, key: &SoulKey) -> Result<Vec<Segment>, Error> {
    let mut segments = vec![Segment { key: key.clone(), upto: i64::MAX }];
    while let Some(Segment { key, upto }) = segments.last() {
        let Some((parent, link)) = forked_from(db, key)? else { break };
        let segment = Segment { key: SoulKey { scope: parent, ..key.clone() }, upto: link.seq.min(*upto) };
        if segments.len() == DEEPEST {
            return Err(Error::Damaged(format!("the record of {key} continues too many others").into()));
        }
        segments.push(segment);
    }
    Ok(segments)
}

/// The record that a soul continues, and where that ends for it.
pub(super) fn forked_from(db: &dyn Sql, key: &SoulKey) -> Result<Option<(String, Link)>, Error> {
    // Only a workspace can be forked.
    if SoulKey::is_home(&key.scope) {
        return Ok(None);
    }
    let (scope, kind, name) = parts(key);
    let found: Option<(String, i64, String)> =
        db.one(sql::FORK, values![scope, kind, name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let damaged = |_| Error::Damaged(format!("the record that {key} continues has no chain").into());
    found.map(|(parent, seq, chain)| Ok((parent, Link { seq, chain: chain.parse().map_err(damaged)? }))).transpose()
}
