//! Values as columns hold them. One that we never write is damage, not a default.

use serde::Serialize;
use serde::de::DeserializeOwned;
use soul_core::digest::Digest;

use super::sql::{Row, Value};
use super::{Error, SoulKey};
use crate::workspace::Kind;

/// The three columns of a key.
pub(super) fn parts(key: &SoulKey) -> (&str, &'static str, &str) {
    (&key.scope, key.kind.as_str(), &key.name)
}

/// The key in three columns.
pub(super) fn key(row: &Row, first: usize) -> Result<SoulKey, Error> {
    let kind: String = row.get(first + 1)?;
    let kind = Kind::stored(&kind).ok_or_else(|| unknown("the kind", &kind))?;
    Ok(SoulKey { scope: row.get(first)?, kind, name: row.get(first + 2)? })
}

/// A digest, if there is one.
pub(super) fn digest(row: &Row, column: usize) -> Result<Option<Digest>, Error> {
    let stored: Option<String> = row.get(column)?;
    stored.map(|text| text.parse().map_err(|_| unknown("the digest", &text))).transpose()
}

/// An id, or another value that any text can be, if there is one.
pub(super) fn text<T: From<String>>(row: &Row, column: usize) -> Result<Option<T>, Error> {
    Ok(row.get::<Option<String>>(column)?.map(Into::into))
}

/// A value for people, whatever it is.
pub(super) fn shown(row: &Row, column: usize) -> String {
    let lossy = |bytes: &[u8]| soul_core::text::visible(&String::from_utf8_lossy(bytes));
    match row.value(column) {
        Value::Text(text) => soul_core::text::visible(text),
        Value::Bytes(bytes) => lossy(bytes),
        Value::Garbled(bytes) => lossy(bytes),
        Value::Integer(number) => number.to_string(),
        _ => "?".to_owned(),
    }
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

/// A stored word that we never write.
pub(super) fn unknown(what: &str, text: &str) -> Error {
    Error::Damaged(format!("{what} {} is unknown", soul_core::text::shown(text)).into())
}

/// How many rows a query is asked for.
pub(super) fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
