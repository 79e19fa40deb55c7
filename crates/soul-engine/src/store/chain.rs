//! What binds a revision to the one before it, and with it to all of them:
//!
//! ```text
//! chain = sha256( previous chain ‖ canonical form )
//! ```
//!
//! The previous chain is its text (`sha256:…`), empty for the first revision. The canonical form is
//! JSON as RFC 8785 has it, written out here field by field: it must never follow from how a revision
//! is serialised elsewhere, because a key that is added there would break every record ever written.
//!
//! | version | covers | holds for |
//! |---|---|---|
//! | 1 | every field but `message` | revisions without a message |
//! | 2 | the same, `message` and `chain_version` | revisions with a message |
//!
//! A revision gets the first version that covers all of its fields, so that a record without messages
//! can be verified by everything that could ever verify it. A version is never changed; a field that is
//! new gets a new version. Which version a revision has cannot be changed unnoticed: the forms differ.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::revision::{Message, Party, Sealed};

/// Which fields of a revision its chain covers, and how they are written. `message` is covered from
/// version 2 on; where no version is given, it is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "i64", try_from = "i64")]
pub enum ChainVersion {
    /// Every field but `message`.
    #[default]
    V1,
    /// Every field.
    V2,
}

/// The number is not that of a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a chain version")]
pub struct UnknownChainVersion(i64);

impl From<ChainVersion> for i64 {
    fn from(version: ChainVersion) -> Self {
        match version {
            ChainVersion::V1 => 1,
            ChainVersion::V2 => 2,
        }
    }
}

impl TryFrom<i64> for ChainVersion {
    type Error = UnknownChainVersion;

    fn try_from(number: i64) -> Result<Self, UnknownChainVersion> {
        match number {
            1 => Ok(Self::V1),
            2 => Ok(Self::V2),
            _ => Err(UnknownChainVersion(number)),
        }
    }
}

impl JsonSchema for ChainVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ChainVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "integer",
            "description": "The version of the chain: 1 covers every field but `message`, 2 covers every field.",
            "enum": [1, 2],
        })
    }
}

impl ChainVersion {
    /// The first version that covers a revision with this message.
    pub(super) const fn covering(message: Option<&Message>) -> Self {
        match message {
            None => Self::V1,
            Some(_) => Self::V2,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(super) fn is_first(&self) -> bool {
        *self == Self::V1
    }
}

/// The chain of a revision after another one.
pub(super) fn link(sealed: &Sealed, previous: Option<Digest>) -> Digest {
    let previous = previous.map(|chain| chain.to_string()).unwrap_or_default();
    Digest::of([previous.as_bytes(), canonical(sealed).as_bytes()])
}

/// The canonical form. Keys are in the order of RFC 8785; absent values are `null`.
fn canonical(sealed: &Sealed) -> String {
    // Every field is named, so that one that is added must be placed in a version here.
    let Sealed {
        id,
        scope,
        kind,
        agent,
        seq,
        action,
        previous_digest,
        new_digest,
        raw_digest,
        dialect,
        snapshot_id,
        idempotency_key,
        request_digest,
        reason,
        actor,
        origin,
        created_at,
        message,
        chain_version,
    } = sealed;
    let is_second = *chain_version == ChainVersion::V2;
    let mut object = Object(String::from("{"));
    object.text("action", action.as_str());
    object.party("actor", actor);
    object.text("agent", agent);
    if is_second {
        object.number("chain_version", i64::from(*chain_version));
    }
    object.text("created_at", &created_at.to_string());
    object.optional("dialect", dialect.map(|dialect| dialect.as_str()));
    object.text("id", id.as_str());
    object.optional("idempotency_key", idempotency_key.as_deref());
    object.text("kind", kind.as_str());
    if let (true, Some(message)) = (is_second, message) {
        object.text("message", message.as_str());
    }
    object.optional("new_digest", new_digest.map(|digest| digest.to_string()).as_deref());
    object.party("origin", origin);
    object.optional("previous_digest", previous_digest.map(|digest| digest.to_string()).as_deref());
    object.optional("raw_digest", raw_digest.map(|digest| digest.to_string()).as_deref());
    object.optional("reason", reason.as_deref());
    object.optional("request_digest", request_digest.map(|digest| digest.to_string()).as_deref());
    object.text("scope", scope);
    object.number("seq", *seq);
    object.optional("snapshot_id", snapshot_id.as_ref().map(|id| id.as_str()));
    object.0.push('}');
    object.0
}

/// A JSON object as it is written. Keys are ours and need no escapes.
struct Object(String);

impl Object {
    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.extend(["\"", key, "\":"]);
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        push_string(&mut self.0, text);
    }

    fn optional(&mut self, key: &str, text: Option<&str>) {
        match text {
            Some(text) => self.text(key, text),
            None => {
                self.key(key);
                self.0.push_str("null");
            }
        }
    }

    fn number(&mut self, key: &str, number: i64) {
        self.key(key);
        self.0.push_str(&number.to_string());
    }

    fn party(&mut self, key: &str, party: &Party) {
        self.key(key);
        let mut inner = Self(String::from("{"));
        inner.text("kind", &party.kind);
        inner.text("ref", &party.name);
        self.0.extend([&inner.0, "}"]);
    }
}

/// A string as RFC 8785 has it: only what JSON must escape is escaped.
fn push_string(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\t' => json.push_str("\\t"),
            '\n' => json.push_str("\\n"),
            '\u{c}' => json.push_str("\\f"),
            '\r' => json.push_str("\\r"),
            control @ '\0'..='\u{1f}' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use soul_core::digest::RawDigest;
    use soul_core::model::Dialect;

    use super::super::Action;
    use super::*;
    use crate::workspace::Kind;

    fn digest(text: &str) -> Digest {
        Digest::of([text.as_bytes()])
    }

    fn party(kind: &str, name: &str) -> Party {
        Party { kind: kind.to_owned(), name: name.to_owned() }
    }

    /// Nothing but what every revision has.
    fn bare() -> Sealed {
        Sealed {
            id: "rev_01M7HWKPF8Z1VT8YBXSYRQG4A1".to_owned().into(),
            scope: "home".to_owned(),
            kind: Kind::Agent,
            agent: "ada".to_owned(),
            seq: 1,
            action: Action::Adopt,
            previous_digest: None,
            new_digest: None,
            raw_digest: None,
            dialect: None,
            snapshot_id: None,
            idempotency_key: None,
            request_digest: None,
            reason: None,
            actor: party("unknown", "outside"),
            origin: party("cli", "soul write"),
            created_at: "2026-11-16T09:56:58.984740Z".parse().unwrap(),
            message: None,
            chain_version: ChainVersion::V1,
        }
    }

    /// All that a revision can have, in a workspace, beyond ASCII and with all that is escaped.
    fn full() -> Sealed {
        Sealed {
            id: "rev_01M7HWKPH11Y70JGD444FZZQ1D".to_owned().into(),
            scope: "ws_01M7HWKPXMBY4F0Y4KDS2XC0R4".to_owned(),
            kind: Kind::Library,
            agent: "renée 世界 🎈".to_owned(),
            seq: 42,
            action: Action::Put,
            previous_digest: Some(digest("before")),
            new_digest: Some(digest("after")),
            raw_digest: Some(RawDigest::of(b"bytes")),
            dialect: Some(Dialect::Agh),
            snapshot_id: Some("snap_01M7HWKPF0XW5F070MJKTDH6GW".to_owned().into()),
            idempotency_key: Some("a \"key\"\\\n\t\r\u{8}\u{c}\u{1}\u{1f}\u{7f}/\u{2028}".to_owned()),
            request_digest: Some(digest("request")),
            reason: Some("it is „quoted“".to_owned()),
            actor: party("user", "Zoë"),
            origin: party("http", "PUT /api"),
            created_at: "2026-11-16T09:56:59.000000Z".parse().unwrap(),
            message: None,
            chain_version: ChainVersion::V1,
        }
    }

    fn with_message() -> Sealed {
        let message = Some("Wärmer im Ton\n\nwie besprochen".parse().unwrap());
        Sealed { seq: 43, message, chain_version: ChainVersion::V2, ..full() }
    }

    // Computed without this program, by Python:
    //
    //   import hashlib, json
    //   def sha(text): return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    //   def link(previous, row):
    //       return sha(previous + json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    //   bare = dict(id="rev_01M7HWKPF8Z1VT8YBXSYRQG4A1", scope="home", kind="agent", agent="ada", seq=1,
    //       action="adopt", previous_digest=None, new_digest=None, raw_digest=None, dialect=None,
    //       snapshot_id=None, idempotency_key=None, request_digest=None, reason=None,
    //       actor=dict(kind="unknown", ref="outside"), origin=dict(kind="cli", ref="soul write"),
    //       created_at="2026-11-16T09:56:58.984740Z")
    //   full = dict(id="rev_01M7HWKPH11Y70JGD444FZZQ1D", scope="ws_01M7HWKPXMBY4F0Y4KDS2XC0R4",
    //       kind="library", agent="renée 世界 🎈", seq=42, action="put", previous_digest=sha("before"),
    //       new_digest=sha("after"), raw_digest="raw:" + sha("bytes"), dialect="agh",
    //       snapshot_id="snap_01M7HWKPF0XW5F070MJKTDH6GW",
    //       idempotency_key="a \"key\"\\\n\t\r\b\f\u0001\u001f\u007f/\u2028", request_digest=sha("request"),
    //       reason="it is „quoted“", actor=dict(kind="user", ref="Zoë"),
    //       origin=dict(kind="http", ref="PUT /api"), created_at="2026-11-16T09:56:59.000000Z")
    //   one = link("", bare); two = link(one, full)
    //   three = link(two, dict(full, seq=43, chain_version=2, message="Wärmer im Ton\n\nwie besprochen"))
    //   print(one, two, three)
    const ONE: &str = "sha256:b2e1ce47eb1db0799d6592fa7db9098cfc714392f2d11587418dc538093ba9f6";
    const TWO: &str = "sha256:eb33b256454f4114dc14379bd52d62abd7e144f8fd3da58a01f0d31f3a67c9d0";
    const THREE: &str = "sha256:548bded72ccf5d864d0eb347808af44d4348325bc8aec9247b8ef77c6b86ad0d";

    #[test]
    fn every_version_has_the_digests_that_others_compute() {
        let one = link(&bare(), None);
        let two = link(&full(), Some(one));
        let three = link(&with_message(), Some(two));
        assert_eq!([one, two, three].map(|chain| chain.to_string()), [ONE, TWO, THREE]);
    }

    #[test]
    fn the_first_version_is_written_to_the_byte() {
        assert_eq!(
            canonical(&bare()),
            "{\"action\":\"adopt\",\"actor\":{\"kind\":\"unknown\",\"ref\":\"outside\"},\"agent\":\"ada\",\
             \"created_at\":\"2026-11-16T09:56:58.984740Z\",\"dialect\":null,\
             \"id\":\"rev_01M7HWKPF8Z1VT8YBXSYRQG4A1\",\"idempotency_key\":null,\"kind\":\"agent\",\
             \"new_digest\":null,\"origin\":{\"kind\":\"cli\",\"ref\":\"soul write\"},\"previous_digest\":null,\
             \"raw_digest\":null,\"reason\":null,\"request_digest\":null,\"scope\":\"home\",\"seq\":1,\
             \"snapshot_id\":null}"
        );
    }

    /// Who verifies a record takes what `soul history --json` prints, so that must be the same.
    #[test]
    fn what_is_printed_is_what_is_bound() {
        for sealed in [bare(), full(), with_message()] {
            assert_eq!(canonical(&sealed).as_bytes(), serde_json_canonicalizer::to_vec(&sealed).unwrap());
        }
    }

    #[test]
    fn no_field_can_change_unnoticed() {
        let other = |change: fn(&mut Sealed)| {
            let mut sealed = with_message();
            change(&mut sealed);
            link(&sealed, None)
        };
        let mut chains = vec![
            other(|_| ()),
            other(|sealed| sealed.id = bare().id),
            other(|sealed| sealed.scope = "home".to_owned()),
            other(|sealed| sealed.kind = Kind::Agent),
            other(|sealed| sealed.agent.push('x')),
            other(|sealed| sealed.seq += 1),
            other(|sealed| sealed.action = Action::Rollback),
            other(|sealed| sealed.previous_digest = None),
            other(|sealed| sealed.new_digest = None),
            other(|sealed| sealed.raw_digest = None),
            other(|sealed| sealed.dialect = None),
            other(|sealed| sealed.snapshot_id = None),
            other(|sealed| sealed.idempotency_key = None),
            other(|sealed| sealed.request_digest = None),
            other(|sealed| sealed.reason = None),
            other(|sealed| sealed.actor.name.push('x')),
            other(|sealed| sealed.origin.kind.push('x')),
            other(|sealed| sealed.created_at = bare().created_at),
            other(|sealed| sealed.message = None),
            other(|sealed| sealed.message = Some("x".parse().unwrap())),
            other(|sealed| sealed.chain_version = ChainVersion::V1),
        ];
        let count = chains.len();
        chains.sort_by_key(ToString::to_string);
        chains.dedup();
        assert_eq!(chains.len(), count);
    }
}
