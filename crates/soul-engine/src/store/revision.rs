use std::borrow::Cow;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use super::chain::{self, ChainVersion};
use super::place::{Link, PlaceId};
use crate::clock::Time;
use crate::ids::{RevisionId, SnapshotId};
use crate::workspace::{Kind, SoulKey};

/// What a revision did to a soul.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RevisionAction", transform = soul_core::schema::spellings)]
pub enum Action {
    /// A text was written.
    Put,
    /// The soul was deleted.
    Delete,
    /// An earlier text was restored.
    Rollback,
    /// A text that was written outside of soul was recorded.
    Adopt,
}

impl Action {
    /// The name on the wire and in the store.
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

/// Who did something, or through what it was done, such as the user `ada` or the command `soul write`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Party {
    /// The kind, such as `user`, `agent`, `cli` or `http`.
    pub kind: String,
    /// Which one of that kind.
    #[serde(rename = "ref")]
    pub name: String,
}

impl Party {
    /// The most bytes of either part.
    const MAX: usize = 256;

    /// A party. Control characters are made visible, and what is too long is cut: this goes into every log.
    #[must_use]
    pub fn new(kind: &str, name: &str) -> Self {
        let bounded = |text: &str| {
            let mut text = soul_core::text::visible(text);
            text.truncate(text.floor_char_boundary(Self::MAX));
            text
        };
        Self { kind: bounded(kind), name: bounded(name) }
    }

    /// The agent's name, if it is an agent.
    #[must_use]
    pub fn as_agent(&self) -> Option<&str> {
        (self.kind == crate::caller::AGENT).then_some(self.name.as_str())
    }
}

/// Why a change was made, in the words of the author: at most 1 KiB of text, and not blank.
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

impl JsonSchema for Message {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RevisionMessage".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Why a change was made: at most 1 KiB of text, and not blank.",
            "minLength": 1,
            "maxLength": Self::MAX,
        })
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0
    }
}

/// What is recorded of a change, in the order in which people read it. The chain covers all of it
/// (`chain.rs`); the body is bound by `raw_digest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SealedRevision")]
pub struct Sealed {
    /// The revision's id.
    pub id: RevisionId,
    /// `home`, or the id of the workspace.
    pub scope: String,
    /// Whether it is an agent's soul or one of the library.
    pub kind: Kind,
    /// The agent's name, or the id of the library soul.
    pub agent: String,
    /// Its number among the revisions of the soul, from 1.
    pub seq: i64,
    /// What was done.
    pub action: Action,
    /// The canonical digest before, if the soul was valid.
    pub previous_digest: Option<Digest>,
    /// The canonical digest after, if the soul is valid.
    pub new_digest: Option<Digest>,
    /// The digest of the file's bytes after, if there is a file.
    pub raw_digest: Option<RawDigest>,
    /// The dialect that was set explicitly; it holds until another one is set.
    pub dialect: Option<Dialect>,
    /// The snapshot of the soul.
    pub snapshot_id: Option<SnapshotId>,
    /// The idempotency key of the request.
    pub idempotency_key: Option<String>,
    /// The digest of the request that was made under the idempotency key.
    pub request_digest: Option<Digest>,
    /// Why it was forced, if the scanner had refused it.
    pub reason: Option<String>,
    /// Who did it.
    pub actor: Party,
    /// Through what it was done.
    pub origin: Party,
    /// When it was recorded.
    pub created_at: Time,
    /// Why it was done, in the words of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Which of these fields the chain covers. Default: 1.
    #[serde(default, skip_serializing_if = "ChainVersion::is_first")]
    pub chain_version: ChainVersion,
}

/// One recorded change of a soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revision {
    /// What the chain covers.
    #[serde(flatten)]
    pub sealed: Sealed,
    /// The hash chain up to this revision.
    pub chain: Digest,
    /// The bytes of the file afterwards, where they were read.
    #[serde(skip)]
    pub body: Option<Vec<u8>>,
}

/// The id of a stored revision with a value that we never write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken(pub String);

/// A change to be recorded; the store gives it its place in the chain.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The soul.
    pub key: SoulKey,
    /// The revision that it follows: the last one that the caller has seen.
    pub after: Option<Link>,
    /// The place whose file it changes, in a workspace.
    pub place: Option<PlaceId>,
    /// What is done.
    pub action: Action,
    /// The canonical digest before.
    pub previous_digest: Option<Digest>,
    /// The canonical digest after.
    pub new_digest: Option<Digest>,
    /// The bytes after, if there are any.
    pub body: Option<Vec<u8>>,
    /// The dialect that holds from here on, if one was set explicitly.
    pub dialect: Option<Dialect>,
    /// The idempotency key, and the digest of the request.
    pub idempotency: Option<(String, Digest)>,
    /// Why it is forced, if the scanner refuses it.
    pub reason: Option<String>,
    /// Why it is done, in the words of the author.
    pub message: Option<Message>,
    /// Who does it.
    pub actor: Party,
    /// Through what it is done.
    pub origin: Party,
    /// The time.
    pub now: Time,
}

impl Draft {
    /// The revision, in its place in the chain.
    pub(super) fn seal(&self, snapshot_id: Option<SnapshotId>) -> Revision {
        let (key, request) = self.idempotency.clone().unzip();
        let sealed = Sealed {
            id: RevisionId::fresh_at(self.now),
            scope: self.key.scope.clone(),
            kind: self.key.kind,
            agent: self.key.name.clone(),
            seq: self.after.map_or(0, |link| link.seq) + 1,
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
            created_at: self.now,
            chain_version: ChainVersion::covering(self.message.as_ref()),
            message: self.message.clone(),
        };
        let chain = sealed.chain(self.after.map(|link| link.chain));
        Revision { sealed, chain, body: self.body.clone() }
    }
}

impl Sealed {
    /// The chain that this revision has after the one with the chain `previous`.
    #[must_use]
    pub fn chain(&self, previous: Option<Digest>) -> Digest {
        chain::link(self, previous)
    }

    /// The soul's key.
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
