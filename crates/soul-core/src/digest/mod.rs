//! Digests: one identifies a soul's meaning, the other a file's bytes.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

use crate::model::Dialect;

/// The canonical digest of a soul's meaning, `sha256:` and 64 lower-case hex digits.
///
/// It does not change with line ends, key order, quoting or comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// The digest of a file's bytes, `raw:sha256:` and 64 lower-case hex digits.
///
/// ```
/// use soul_core::digest::RawDigest;
/// let digest = RawDigest::of(b"");
/// assert_eq!(digest.to_string(), "raw:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawDigest([u8; 32]);

impl Digest {
    /// The digest of the concatenated parts.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest of a document that is known by its JSON form: `soul.<dialect>.v<version>`, a line end,
    /// and the JSON canonical as RFC 8785 has it. Version 1 is of the whole document, version 2 of its authored parts.
    pub(crate) fn of_json(dialect: Dialect, version: u8, document: &serde_json::Value) -> Self {
        let prefix = format!("soul.{dialect}.v{version}\n");
        // A `Value` has string keys and finite numbers only, which is all that could go wrong.
        let json = serde_json_canonicalizer::to_vec(document).unwrap_or_default();
        Self::of([prefix.as_bytes(), &json])
    }
}

impl RawDigest {
    #[allow(missing_docs)]
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of chunks that together are the bytes, for what is too large to be in memory.
    pub fn of_chunks<C: AsRef<[u8]>>(chunks: impl IntoIterator<Item = C>) -> Self {
        let mut hash = Sha256::new();
        chunks.into_iter().for_each(|chunk| hash.update(chunk.as_ref()));
        Self(hash.finalize().into())
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// An invalid digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotADigest;

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a digest")
    }
}

impl std::error::Error for NotADigest {}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        text.strip_prefix("sha256:").and_then(read_hex).map(Self).ok_or(NotADigest)
    }
}

impl FromStr for RawDigest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        text.strip_prefix("raw:sha256:").and_then(read_hex).map(Self).ok_or(NotADigest)
    }
}

fn read_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn write_hex(f: &mut fmt::Formatter<'_>, prefix: &str, bytes: &[u8; 32]) -> fmt::Result {
    f.write_str(prefix)?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, "sha256:", &self.0)
    }
}

impl fmt::Display for RawDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, "raw:sha256:", &self.0)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Digest of a soul's meaning. It does not depend on line ends, key order, quoting or comments.",
            "pattern": "^sha256:[0-9a-f]{64}$",
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawDigest {
    fn schema_name() -> Cow<'static, str> {
        "RawDigest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Digest of a file's bytes.",
            "pattern": "^raw:sha256:[0-9a-f]{64}$",
        })
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for RawDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for RawDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let digest = Digest::of([b"a".as_slice(), b"b"]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        let raw = RawDigest::of(b"ab");
        assert_eq!(raw.to_string().parse(), Ok(raw));
        let long = format!("{digest}0");
        for wrong in ["", "sha256:", "sha256:xy", long.as_str(), &raw.to_string(), &digest.to_string().to_uppercase()] {
            assert_eq!(wrong.parse::<Digest>(), Err(NotADigest), "{wrong}");
        }
    }
}
