use std::str::FromStr;

use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use super::chain::{self, ChainVersion};
use crate::clock::Time;
use crate::ids::{RevisionId, SnapshotId};
use crate::workspace::{Kind, SoulKey};

/// What was done to a soul.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Why a change was made, in the words of whoever made it: at most 1 KiB of text, and not blank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Message(String);

impl Message {
    /// The most bytes.
    pub const MAX: usize = 1024;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    /// There is nothing in it.
    #[error("a message must not be blank")]
    Blank,
    /// It is too long.
    #[error("a message must not be longer than {} bytes", Message::MAX)]
    TooLong,
}

impl TryFrom<String> for Message {
    type Error = InvalidMessage;

    fn try_from(text: String) -> Result<Self, InvalidMessage> {
        match text {
            text if text.trim().is_empty() => Err(InvalidMessage::Blank),
            text if text.len() > Self::MAX => Err(InvalidMessage::TooLong),
            text => Ok(Self(text)),
        }
    }
}

impl FromStr for Message {
    type Err = InvalidMessage;

    fn from_str(text: &str) -> Result<Self, InvalidMessage> {
        text.to_owned().try_into()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0
    }
}

/// What is recorded of a change, in the order in which people read it. The chain covers all of it
/// (`chain.rs`); the body is bound by `raw_digest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Why, in the words of whoever did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Which of these fields the chain covers; 1 where nothing is said.
    #[serde(default, skip_serializing_if = "ChainVersion::is_first")]
    pub chain_version: ChainVersion,
}

/// One recorded change of a soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Why it is done, in the words of whoever does it.
    pub message: Option<Message>,
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
            chain_version: ChainVersion::covering(self.message.as_ref()),
            message: self.message.clone(),
        };
        let chain = sealed.chain(last.map(|(_, chain)| chain));
        Revision { sealed, chain, body: self.body.clone() }
    }
}

impl Sealed {
    /// The chain that this revision has after the one with the chain `previous`.
    #[must_use]
    pub fn chain(&self, previous: Option<Digest>) -> Digest {
        chain::link(self, previous)
    }

    /// Whose soul it is.
    #[must_use]
    pub fn key(&self) -> SoulKey {
        SoulKey { scope: self.scope.clone(), kind: self.kind, name: self.agent.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_short_and_says_something() {
        assert_eq!("Wärmer\nim Ton".parse::<Message>().unwrap().as_str(), "Wärmer\nim Ton");
        assert_eq!(" \n".parse::<Message>(), Err(InvalidMessage::Blank));
        assert!("ä".repeat(512).parse::<Message>().is_ok());
        assert_eq!("x".repeat(1025).parse::<Message>(), Err(InvalidMessage::TooLong));
        assert!(serde_json::from_str::<Message>("\"\"").is_err());
    }
}
