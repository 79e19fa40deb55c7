use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use crate::clock::Time;
use crate::ids::SnapshotId;
use crate::workspace::SoulKey;

/// A resolved soul that is to be kept.
#[derive(Debug, Clone)]
pub struct NewSnapshot {
    /// Whose soul.
    pub key: SoulKey,
    /// What it says.
    pub digest: Digest,
    /// Under which settings it was resolved.
    pub config_digest: Digest,
    /// How it is told, for the id that it will have.
    pub profile: Profile,
    /// The bytes of every authored file, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// What names files: the sorted lines of their names and what is in them.
pub(super) fn bundle_digest(files: &BTreeMap<String, Vec<u8>>) -> Digest {
    let line = |(name, bytes): (&String, &Vec<u8>)| {
        let raw = RawDigest::of(bytes).to_string();
        format!("{name} {}\n", raw.trim_start_matches("raw:sha256:"))
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    Digest::of(lines.iter().map(String::as_bytes))
}

/// How a soul was told when it was resolved. It stays so, whatever later versions would say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The dialect it was read in.
    pub dialect: Dialect,
    /// Where people find it.
    pub source_path: String,
    /// The identity text, from just before to just after the snapshot's own id, if that is in it.
    pub identity: (String, Option<String>),
    /// What the agent is.
    pub role: String,
    /// How the agent sounds.
    pub tone: Vec<String>,
    /// What the agent leans towards.
    pub principles: Vec<String>,
    /// The most bytes of compact context.
    pub context_projection_bytes: usize,
}

/// The immutable resolved soul that a session is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// What names it.
    pub id: SnapshotId,
    /// Whose soul.
    pub key: SoulKey,
    /// What it says.
    pub digest: Digest,
    /// How it is told.
    pub profile: Profile,
    /// The bytes of every authored file, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// When it was taken.
    pub created_at: Time,
}

impl Snapshot {
    /// The text that tells a model who it is.
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
