//! One connection: statements are prepared once, values and rows are those of the seam.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error as StdError;

use fallible_iterator::FallibleIterator;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};

use crate::store::Error;
use crate::store::sql::{Row, Rows, Sql, Take, Value, check_texts};

/// A connection, and what was prepared on it.
pub(super) struct Link {
    pub(super) client: Client,
    statements: HashMap<String, Statement>,
}

impl Link {
    pub(super) fn new(client: Client) -> Self {
        Self { client, statements: HashMap::new() }
    }

    fn statement(&mut self, text: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(text)?;
        self.statements.insert(text.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// A connection while it is used, to read or in a transaction.
pub(super) struct Session<'a> {
    link: RefCell<&'a mut Link>,
    is_writing: bool,
    owner: &'a str,
}

impl<'a> Session<'a> {
    pub(super) fn new(link: &'a mut Link, is_writing: bool, owner: &'a str) -> Self {
        Self { link: RefCell::new(link), is_writing, owner }
    }
}

impl Sql for Session<'_> {
    fn run(&self, statement: &str, values: &[Value<'_>]) -> Result<usize, Error> {
        check_texts(values)?;
        let mut link = self.link.borrow_mut();
        let statement = link.statement(statement)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = link.client.execute(&statement, &values)?;
        Ok(usize::try_from(rows).unwrap_or(usize::MAX))
    }

    fn each(&self, query: &str, values: &[Value<'_>], take: &mut Take<'_>) -> Result<(), Error> {
        check_texts(values)?;
        let mut found = {
            let mut link = self.link.borrow_mut();
            let statement = link.statement(query)?;
            let mut rows = link.client.query_raw(&statement, values)?;
            let mut found = Vec::new();
            // The callback may run other statements on the same connection.
            while let Some(row) = rows.next()? {
                let value = |column| row.try_get::<_, Stored>(column).map(|Stored(value)| value);
                found.push(Row::new((0..row.len()).map(value).collect::<Result<_, _>>()?));
            }
            found
        };
        for row in &mut found {
            if take(row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn locking(&self, rows: Rows) -> &'static str {
        match rows {
            _ if !self.is_writing => "",
            Rows::All => " FOR UPDATE",
            Rows::Free => " FOR UPDATE SKIP LOCKED",
        }
    }

    fn owner(&self) -> &str {
        self.owner
    }

    fn has_seals(&self) -> Result<bool, Error> {
        Ok(true)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) if *of == Type::INT4 => i32::try_from(*number)?.to_sql(of, out),
            Self::Integer(number) => number.to_sql(of, out),
            Self::Real(number) => number.to_sql(of, out),
            Self::Text(text) => text.to_sql(of, out),
            Self::Bytes(bytes) => bytes.as_ref().to_sql(of, out),
            Self::Garbled(_) => Err("a text is not UTF-8".into()),
        }
    }

    fn accepts(of: &Type) -> bool {
        [Type::TEXT, Type::INT4, Type::INT8, Type::FLOAT8, Type::BYTEA].contains(of)
    }

    to_sql_checked!();
}

/// A value of a row, whatever its type.
struct Stored(Value<'static>);

impl<'a> FromSql<'a> for Stored {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(match *of {
            Type::INT2 => Value::Integer(i16::from_sql(of, raw)?.into()),
            Type::INT4 => Value::Integer(i32::from_sql(of, raw)?.into()),
            Type::INT8 => Value::Integer(i64::from_sql(of, raw)?),
            Type::BOOL => Value::Integer(bool::from_sql(of, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(of, raw)?),
            Type::BYTEA => Value::Bytes(Cow::Owned(Vec::from_sql(of, raw)?)),
            _ => Value::Text(Cow::Owned(String::from_sql(&Type::TEXT, raw)?)),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(Value::Null))
    }

    fn accepts(of: &Type) -> bool {
        [
            Type::INT2,
            Type::INT4,
            Type::INT8,
            Type::BOOL,
            Type::FLOAT8,
            Type::BYTEA,
            Type::TEXT,
            Type::UNKNOWN,
            Type::NAME,
        ]
        .contains(of)
    }
}
