//! Numbers in JSON, which knows none that is not finite: those are written as words, so that whoever reads
//! them can refuse them by name.

use serde::{Deserialize, Deserializer, Serializer, de};

#[derive(Deserialize)]
#[serde(untagged)]
enum Shape {
    Number(f64),
    Word(String),
}

pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_finite() { serializer.serialize_f64(*number) } else { serializer.collect_str(number) }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Shape::deserialize(deserializer)? {
        Shape::Number(number) => Ok(number),
        Shape::Word(word) => word.parse().map_err(de::Error::custom),
    }
}
