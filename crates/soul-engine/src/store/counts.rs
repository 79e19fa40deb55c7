//! How much is in a store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use super::sql::Sql;
use super::tables::TABLES;

/// How much is in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCounts {
    /// The version of its tables.
    pub schema_version: i64,
    /// How many bytes it takes on its disk.
    pub bytes: u64,
    /// Each table.
    pub tables: Vec<TableCount>,
}

/// How many rows a table has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableCount {
    /// Its name.
    pub table: String,
    /// Its rows.
    pub rows: u64,
}

/// The rows of each table.
pub(super) fn all(db: &dyn Sql) -> Result<Vec<(&'static str, u64)>, Error> {
    let count = |name: &str| {
        let rows = db.one(&format!("SELECT count(*) FROM {name}"), &[], |row| row.get::<i64>(0))?;
        Ok::<_, Error>(rows.and_then(|rows| u64::try_from(rows).ok()).unwrap_or(0))
    };
    TABLES.iter().map(|table| Ok((table.name, count(table.name)?))).collect()
}
