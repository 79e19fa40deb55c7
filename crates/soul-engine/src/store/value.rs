//! Values of statements and rows, as every engine has them.

use std::borrow::Cow;

use super::Error;
use crate::clock::Time;

/// A value that a statement is given, or that a row has.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    /// A text that is not UTF-8: none that we write.
    Garbled(Vec<u8>),
}

/// Refuses texts that one engine keeps and another does not.
pub(super) fn check_texts(values: &[Value<'_>]) -> Result<(), Error> {
    let has_nul = |value: &Value<'_>| matches!(value, Value::Text(text) if text.contains('\0'));
    if values.iter().any(has_nul) { Err(Error::Nul) } else { Ok(()) }
}

/// Values of several types for one statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::store::value::ToValue::to_value(&$value)),*][..] };
}
pub(super) use values;

/// The values of a row, by column.
#[derive(Debug)]
pub(super) struct Row(Vec<Value<'static>>);

impl Row {
    pub(super) const fn new(values: Vec<Value<'static>>) -> Self {
        Self(values)
    }

    /// How many columns it has: at least one.
    pub(super) fn len(&self) -> usize {
        self.0.len().max(1)
    }

    /// The value as it is stored.
    pub(super) fn value(&self, column: usize) -> &Value<'static> {
        self.0.get(column).unwrap_or(&Value::Null)
    }

    /// A value. One that we never write is damage, not a default.
    pub(super) fn get<T: FromValue>(&self, column: usize) -> Result<T, Error> {
        T::from_value(self.value(column).clone()).ok_or_else(|| odd(column))
    }

    /// The value as it is stored, which is not there a second time.
    pub(super) fn take_value(&mut self, column: usize) -> Value<'static> {
        self.0.get_mut(column).map_or(Value::Null, |value| std::mem::replace(value, Value::Null))
    }

    /// A large value, which is not there a second time.
    pub(super) fn take<T: FromValue>(&mut self, column: usize) -> Result<T, Error> {
        T::from_value(self.take_value(column)).ok_or_else(|| odd(column))
    }
}

fn odd(column: usize) -> Error {
    Error::Damaged(format!("column {column} has a value that is never written there").into())
}

/// What a value of a row can be.
pub(super) trait FromValue: Sized {
    /// None if it is something else.
    fn from_value(value: Value<'static>) -> Option<Self>;
}

impl FromValue for String {
    fn from_value(value: Value<'static>) -> Option<Self> {
        if let Value::Text(text) = value { Some(text.into_owned()) } else { None }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'static>) -> Option<Self> {
        if let Value::Bytes(bytes) = value { Some(bytes.into_owned()) } else { None }
    }
}

impl FromValue for i64 {
    fn from_value(value: Value<'static>) -> Option<Self> {
        if let Value::Integer(number) = value { Some(number) } else { None }
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'static>) -> Option<Self> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl FromValue for f64 {
    fn from_value(value: Value<'static>) -> Option<Self> {
        if let Value::Real(number) = value { Some(number) } else { None }
    }
}

impl FromValue for Time {
    fn from_value(value: Value<'static>) -> Option<Self> {
        Self::stored(&String::from_value(value)?).ok()
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'static>) -> Option<Self> {
        if value == Value::Null { Some(None) } else { T::from_value(value).map(Some) }
    }
}

/// What a statement can be given.
pub(super) trait ToValue {
    fn to_value(&self) -> Value<'_>;
}

impl ToValue for str {
    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(self))
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(self))
    }
}

impl ToValue for [u8] {
    fn to_value(&self) -> Value<'_> {
        Value::Bytes(Cow::Borrowed(self))
    }
}

impl ToValue for Vec<u8> {
    fn to_value(&self) -> Value<'_> {
        Value::Bytes(Cow::Borrowed(self))
    }
}

impl ToValue for i64 {
    fn to_value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> Value<'_> {
        Value::Real(*self)
    }
}

impl ToValue for Time {
    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Owned(self.to_string()))
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}
