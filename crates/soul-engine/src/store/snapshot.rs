use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use crate::clock::Time;
use crate::ids::SnapshotId;
use crate::workspace::SoulKey;

/// A resolved soul to be stored.
#[derive(Debug, Clone)]
pub struct NewSnapshot {
    /// The soul.
    pub key: SoulKey,
    /// Its canonical digest.
    pub digest: Digest,
    /// The digest of the settings under which it was resolved.
    pub config_digest: Digest,
    /// What is projected from it.
    pub profile: Profile,
    /// The bytes of every authored file, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// The digest of files: of the sorted lines of their names and raw digests.
pub(super) fn bundle_digest(files: &BTreeMap<String, Vec<u8>>) -> Digest {
    let line = |(name, bytes): (&String, &Vec<u8>)| {
        let raw = RawDigest::of(bytes).to_string();
        format!("{name} {}\n", raw.trim_start_matches("raw:sha256:"))
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    Digest::of(lines.iter().map(String::as_bytes))
}

/// What was projected from a soul when it was resolved. A later version of this program does not change
/// what a session says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SnapshotProfile")]
pub struct Profile {
    /// The dialect it was read in.
    pub dialect: Dialect,
    /// The path of the soul, as it is shown.
    pub source_path: String,
    /// The identity text; in two parts, around the snapshot's own id, if that is in it.
    pub identity: (String, Option<String>),
    /// The agent's role.
    pub role: String,
    /// The agent's tone.
    pub tone: Vec<String>,
    /// The agent's principles.
    pub principles: Vec<String>,
    /// The most bytes of compact context.
    pub context_projection_bytes: usize,
}

/// The immutable resolved soul that a session is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The snapshot's id.
    pub id: SnapshotId,
    /// The soul.
    pub key: SoulKey,
    /// Its canonical digest.
    pub digest: Digest,
    /// What was projected from it.
    pub profile: Profile,
    /// The bytes of every authored file, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// When it was taken.
    pub created_at: Time,
}

impl Snapshot {
    /// The identity text.
    #[must_use]
    pub fn identity(&self) -> String {
        match &self.profile.identity {
            (text, None) => text.clone(),
            (before, Some(after)) => format!("{before}{}{after}", self.id.as_str()),
        }
    }

    /// A file as text, if it was there.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.files.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }
}
