//! Bytes in JSON: a text where they are one, else the numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shape {
    Text(String),
    Bytes(Vec<u8>),
}

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    match str::from_utf8(bytes) {
        Ok(text) => serializer.serialize_str(text),
        Err(_) => serializer.collect_seq(bytes),
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(match Shape::deserialize(deserializer)? {
        Shape::Text(text) => text.into_bytes(),
        Shape::Bytes(bytes) => bytes,
    })
}
