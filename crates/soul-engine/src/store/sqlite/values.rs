//! Values as columns hold them. One that we never write is damage, not a default.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Row, RowIndex};
use serde::Serialize;
use serde::de::DeserializeOwned;
use soul_core::digest::Digest;

use super::Error;
use super::error::unknown;
use crate::clock::Time;

impl ToSql for Time {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Time {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::stored(value.as_str()?).map_err(FromSqlError::other)
    }
}

/// A digest, if there is one.
pub(super) fn digest(row: &Row<'_>, column: impl RowIndex) -> Result<Option<Digest>, Error> {
    let stored: Option<String> = row.get(column)?;
    stored.map(|text| text.parse().map_err(|_| unknown("the digest", &text))).transpose()
}

/// An id, or another value that any text can be, if there is one.
pub(super) fn text<T: From<String>>(row: &Row<'_>, column: impl RowIndex) -> Result<Option<T>, Error> {
    Ok(row.get::<_, Option<String>>(column)?.map(Into::into))
}

/// A value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> String {
    // Texts and finite numbers only: nothing that could fail to be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value that was stored as JSON, if there is one.
pub(super) fn from_json<T: DeserializeOwned>(what: &str, stored: Option<String>) -> Result<Option<T>, Error> {
    stored.map(|stored| serde_json::from_str(&stored).map_err(|_| unknown(what, &stored))).transpose()
}
