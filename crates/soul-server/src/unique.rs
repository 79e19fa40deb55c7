//! JSON in which no key stands twice. Parsers differ in which of the two counts, so a request that one reads as a dry
//! run another would carry out.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads an object.
pub(crate) fn object(text: &[u8]) -> Result<Map<String, Value>, serde_json::Error> {
    match value(text)? {
        Value::Object(object) => Ok(object),
        _ => Err(serde_json::Error::custom("it is not an object")),
    }
}

/// Reads any value.
pub(crate) fn value(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Unique.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element_seed(Self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate key {}", soul_core::text::shown(&key))));
            }
            object.insert(key, entries.next_value_seed(Self)?);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_once_at_any_depth() {
        let text = br#"{"a":[1,-2,0.5,"x",null,true,{"b":{}}]}"#;
        assert_eq!(value(text).unwrap(), serde_json::from_slice::<Value>(text).unwrap());
        for twice in [r#"{"a":1,"a":2}"#, r#"[{"a":{"b":1,"b":1}}]"#, r#"{"a":1,"\u0061":2}"#] {
            assert!(value(twice.as_bytes()).unwrap_err().to_string().contains("stands twice"), "{twice}");
        }
        for wrong in ["", "{", "{}{}", "nul", "1e999", "[1,]"] {
            assert!(value(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(value("[".repeat(100_000).as_bytes()).is_err());
    }
}
