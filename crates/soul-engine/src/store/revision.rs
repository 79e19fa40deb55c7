use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use crate::clock::Time;
use crate::ids::{RevisionId, SnapshotId};
use crate::workspace::{Kind, SoulKey};

/// What was done to a soul.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// A text was written.
    Put,
    /// The soul was removed.
    Delete,
    /// An earlier text came back.
    Rollback,
    /// What somebody else had done to the file was taken into the record.
    Adopt,
}

impl Action {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Delete => "delete",
            Self::Rollback => "rollback",
            Self::Adopt => "adopt",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        [Self::Put, Self::Delete, Self::Rollback, Self::Adopt].into_iter().find(|action| action.as_str() == text)
    }
}

/// Who did something, or through what it was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// What kind of party: `user`, `agent`, `cli`, `http`.
    pub kind: String,
    /// Which one.
    #[serde(rename = "ref")]
    pub name: String,
}

impl Party {
    /// The most bytes of either part.
    const MAX: usize = 256;

    /// A party. What a terminal would obey is made visible, and what is too long is cut: this goes
    /// into every log.
    #[must_use]
    pub fn new(kind: &str, name: &str) -> Self {
        let bounded = |text: &str| {
            let mut text = soul_core::text::visible(text);
            text.truncate(text.floor_char_boundary(Self::MAX));
            text
        };
        Self { kind: bounded(kind), name: bounded(name) }
    }
}

/// What is recorded of a change, in the order in which people read it. All of it but the chain
/// itself is what the chain binds; the body is bound by `raw_digest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sealed {
    /// What names the revision.
    pub id: RevisionId,
    /// `home`, or a workspace.
    pub scope: String,
    /// Whose soul it is.
    pub kind: Kind,
    /// The agent.
    pub agent: String,
    /// Its place among the revisions of the soul, from 1.
    pub seq: i64,
    /// What was done.
    pub action: Action,
    /// The digest before, if there was a valid soul.
    pub previous_digest: Option<Digest>,
    /// The digest after, if there is a valid soul.
    pub new_digest: Option<Digest>,
    /// The digest of the bytes after, if there is a file.
    pub raw_digest: Option<RawDigest>,
    /// The dialect that was asked for by name; it holds until another is asked for.
    pub dialect: Option<Dialect>,
    /// The snapshot that was taken with it.
    pub snapshot_id: Option<SnapshotId>,
    /// The key under which it may be asked for again.
    pub idempotency_key: Option<String>,
    /// What was asked for under that key.
    pub request_digest: Option<Digest>,
    /// Why it was done against the scanner's advice, if it was.
    pub reason: Option<String>,
    /// Who did it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// When.
    pub created_at: Time,
}

/// One recorded change of a soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Revision {
    /// What is recorded.
    #[serde(flatten)]
    pub sealed: Sealed,
    /// Binds all of it, and all before it.
    pub chain: Digest,
    /// The bytes of the soul afterwards, where they were asked for.
    #[serde(skip)]
    pub body: Option<Vec<u8>>,
}

/// A stored revision that holds what no revision holds; its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken(pub String);

/// A change that is to be recorded; the store gives it its place.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Whose soul.
    pub key: SoulKey,
    /// What was done.
    pub action: Action,
    /// The digest before.
    pub previous_digest: Option<Digest>,
    /// The digest after.
    pub new_digest: Option<Digest>,
    /// The bytes after, if there are any.
    pub body: Option<Vec<u8>>,
    /// The dialect that holds from here on, if one was asked for by name.
    pub dialect: Option<Dialect>,
    /// The key under which it may be asked for again, and what was asked for.
    pub idempotency: Option<(String, Digest)>,
    /// Why it is done against the scanner's advice, if it is.
    pub reason: Option<String>,
    /// Who did it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

impl Draft {
    /// The record at its place after another.
    pub(super) fn seal(&self, last: Option<(i64, Digest)>, snapshot_id: Option<SnapshotId>) -> Revision {
        let (key, request) = self.idempotency.clone().unzip();
        let sealed = Sealed {
            id: RevisionId::fresh(),
            scope: self.key.scope.clone(),
            kind: self.key.kind,
            agent: self.key.name.clone(),
            seq: last.map_or(0, |(seq, _)| seq) + 1,
            action: self.action,
            previous_digest: self.previous_digest,
            new_digest: self.new_digest,
            raw_digest: self.body.as_deref().map(RawDigest::of),
            dialect: self.dialect,
            snapshot_id,
            idempotency_key: key,
            request_digest: request,
            reason: self.reason.clone(),
            actor: self.actor.clone(),
            origin: self.origin.clone(),
            created_at: Time::now(),
        };
        let chain = sealed.chain(last.map(|(_, chain)| chain));
        Revision { sealed, chain, body: self.body.clone() }
    }
}

impl Sealed {
    /// What binds this record and, through the one before, all of them.
    #[must_use]
    pub fn chain(&self, previous: Option<Digest>) -> Digest {
        let previous = previous.map(|chain| chain.to_string()).unwrap_or_default();
        // Strings and integers only: nothing that could fail to be written.
        let json = serde_json_canonicalizer::to_vec(self).unwrap_or_default();
        Digest::of([previous.as_bytes(), &json])
    }

    /// Whose soul it is.
    #[must_use]
    pub fn key(&self) -> SoulKey {
        SoulKey { scope: self.scope.clone(), kind: self.kind, name: self.agent.clone() }
    }
}
