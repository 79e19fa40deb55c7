//! Whether two stores have the same rows.

use soul_core::digest::RawDigest;

use super::rows::{Page, page};
use super::{CopiedTable, MigrationError};
use crate::context::Progress;
use crate::store::Error;
use crate::store::sql::{Engine, Sql, Value};
use crate::store::tables::{TABLES, Table};

/// Each table, if both stores have the same rows in it.
pub(super) fn stores<T: Engine>(
    source: &dyn Sql,
    target: &T,
    progress: &dyn Progress,
) -> Result<Result<Vec<CopiedTable>, MigrationError>, Error> {
    target.read_consistent(|target| {
        let mut tables = Vec::new();
        for table in &TABLES {
            let expected = Sum::of(source, table, progress)?;
            if Sum::of(target, table, progress)? != expected {
                return Ok(Err(MigrationError::Differs(table.name)));
            }
            let Sum { rows, lanes } = expected;
            let digest = RawDigest::of_chunks(lanes.map(u64::to_le_bytes));
            tables.push(CopiedTable { table: table.name.to_owned(), rows, digest });
        }
        Ok(Ok(tables))
    })
}

/// The digests of all rows, added up: the same in whatever order an engine returns them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    lanes: [u64; 4],
}

impl Sum {
    fn of(db: &dyn Sql, table: &Table, progress: &dyn Progress) -> Result<Self, Error> {
        let (mut sum, mut after) = (Self::default(), None);
        loop {
            let Page { rows, last } = page(db, table, after.as_ref())?;
            if last.is_none() {
                return Ok(sum);
            }
            rows.iter().for_each(|row| sum.add(row));
            progress.advance("rows compared", rows.len(), None);
            after = last;
        }
    }

    fn add(&mut self, row: &[Value<'_>]) {
        let mut bytes = Vec::new();
        for value in row {
            let (tag, content): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Integer(number) => (1, &number.to_le_bytes()),
                Value::Real(number) => (2, &number.to_bits().to_le_bytes()),
                Value::Text(text) => (3, text.as_bytes()),
                Value::Bytes(content) => (4, content),
                Value::Garbled(content) => (5, content),
            };
            bytes.push(tag);
            bytes.extend((content.len() as u64).to_le_bytes());
            bytes.extend(content);
        }
        let digest = RawDigest::of(&bytes);
        for (lane, part) in self.lanes.iter_mut().zip(digest.as_bytes().chunks_exact(8)) {
            let part = part.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            *lane = lane.wrapping_add(part);
        }
        self.rows += 1;
    }
}
