//! Rows of a table in the order of its key, a page at a time.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::store::Error;
use crate::store::settings::OWN;
use crate::store::sql::{Sql, Value};
use crate::store::tables::Table;

/// How many rows a page has.
const ROWS: usize = 200;

/// After how many bytes a page ends early. An engine may have read all of its rows.
const BYTES: usize = 4 << 20;

/// The values of a primary key.
pub(super) type Key = Vec<KeyValue>;

/// A value of a primary key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum KeyValue {
    Integer(i64),
    Text(String),
}

impl KeyValue {
    fn of(value: &Value<'static>) -> Result<Self, Error> {
        match value {
            Value::Integer(number) => Ok(Self::Integer(*number)),
            Value::Text(text) => Ok(Self::Text(text.clone().into_owned())),
            _ => Err(Error::Damaged("a key has a value that is never written there".into())),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Integer(number) => Value::Integer(*number),
            Self::Text(text) => Value::Text(text.into()),
        }
    }
}

/// Rows with all columns of their table, in its order.
pub(super) struct Page {
    pub(super) rows: Vec<Vec<Value<'static>>>,
    /// The key of the last row that was read; none after the end.
    pub(super) last: Option<Key>,
}

/// The rows after a key. What belongs to a store itself is left out.
pub(super) fn page(db: &dyn Sql, table: &Table, after: Option<&Key>) -> Result<Page, Error> {
    let columns: Vec<_> = table.columns().collect();
    let key = table.key.join(", ");
    let after: Vec<_> = after.into_iter().flatten().map(KeyValue::value).collect();
    let place = if after.is_empty() {
        String::new()
    } else {
        let numbered: Vec<_> = (1..=after.len()).map(|n| format!("${n}")).collect();
        format!("WHERE ({key}) > ({}) ", numbered.join(", "))
    };
    let query = format!("SELECT {} FROM {} {place}ORDER BY {key} LIMIT {ROWS}", columns.join(", "), table.name);
    let (mut page, mut bytes) = (Page { rows: Vec::new(), last: None }, 0);
    db.each(&query, &after, &mut |row| {
        let values: Vec<_> = (0..columns.len()).map(|column| row.take_value(column)).collect();
        page.last = Some(values[..table.key.len()].iter().map(KeyValue::of).collect::<Result<_, _>>()?);
        bytes += values.iter().map(size).sum::<usize>();
        if !is_own(table, &values) {
            page.rows.push(values);
        }
        Ok(if bytes > BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(page)
}

/// Whether a row is about the store that it is in.
fn is_own(table: &Table, values: &[Value<'static>]) -> bool {
    table.name == "settings" && matches!(values.first(), Some(Value::Text(name)) if OWN.contains(&&**name))
}

fn size(value: &Value<'_>) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Garbled(bytes) => bytes.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 8,
    }
}
