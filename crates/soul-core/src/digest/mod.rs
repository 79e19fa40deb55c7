//! Digests: what names a soul's meaning, and what names a file's bytes.

use std::fmt;

use serde::{Serialize, Serializer};
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
    /// The digest of the parts, one after the other.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// The digest of a document that is known by its JSON form: `soul.<dialect>.v1`, a line end,
    /// and the JSON canonical as RFC 8785 has it.
    pub(crate) fn of_json(dialect: Dialect, document: &serde_json::Value) -> Self {
        let prefix = format!("soul.{dialect}.v1\n");
        // A `Value` has string keys and finite numbers only, which is all that could go wrong.
        let json = serde_json_canonicalizer::to_vec(document).unwrap_or_default();
        Self::of([prefix.as_bytes(), &json])
    }
}

impl RawDigest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 32 bytes of it, for what keeps many of them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A digest from the 32 bytes of it.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
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
