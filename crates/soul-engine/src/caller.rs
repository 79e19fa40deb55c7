//! Who asks, through which transport, and what they may do. Transports authenticate and build the
//! [`Caller`]; no request says who sends it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::TokenId;
use crate::store::{Party, Token};

/// What an operation needs to be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Grant {
    /// Read souls, sessions, memory and the record.
    #[serde(rename = "soul.read")]
    Read,
    /// Change them.
    #[serde(rename = "soul.write")]
    Write,
    /// Administer the keeper: tokens, backups, workspaces. The alias is what earlier versions called it.
    #[serde(rename = "soul.admin", alias = "soul.tokens")]
    Admin,
}

impl Grant {
    /// Every grant.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "soul.read",
            Self::Write => "soul.write",
            Self::Admin => "soul.admin",
        }
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the grants are soul.read, soul.write and soul.admin")]
pub struct UnknownGrant;

impl FromStr for Grant {
    type Err = UnknownGrant;

    fn from_str(text: &str) -> Result<Self, UnknownGrant> {
        // A token of an earlier version is stored with the earlier name.
        let text = if text == "soul.tokens" { Self::Admin.as_str() } else { text };
        Self::ALL.into_iter().find(|grant| grant.as_str() == text).ok_or(UnknownGrant)
    }
}

/// Who sends a request.
#[derive(Debug, Clone)]
pub struct Caller {
    actor: Party,
    transport: &'static str,
    basis: Basis,
}

/// Why a caller may do what it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "CallerAuthority", transform = soul_core::schema::spellings)]
pub enum Authority {
    /// It is the user who runs the keeper, on the command line or through the Unix socket.
    Owner,
    /// It is a client on this machine without a token.
    Anybody,
    /// It holds a token.
    Token,
}

/// What a caller may do, and why.
#[derive(Debug, Clone)]
enum Basis {
    /// The user who runs the keeper: everything.
    Owner,
    /// A client without a token, which may belong to any user of this machine: everything but administration.
    Anybody,
    /// The holder of a token: what it grants.
    Token(TokenId, Vec<Grant>),
}

impl Caller {
    /// The user who runs the keeper, on the command line or through the Unix socket, who may do everything.
    #[must_use]
    pub const fn local(actor: Party, transport: &'static str) -> Self {
        Self { actor, transport, basis: Basis::Owner }
    }

    /// A client on this machine that presents no token. Which user it belongs to is unknown, so it may read and
    /// change souls but not administer the keeper.
    #[must_use]
    pub const fn anybody(actor: Party, transport: &'static str) -> Self {
        Self { actor, transport, basis: Basis::Anybody }
    }

    /// The holder of a token: `kind` is `token`, or `extension` for a client of the Host API. A token that is bound to an
    /// agent makes the agent the actor.
    #[must_use]
    pub fn holder(kind: &str, token: Token, transport: &'static str) -> Self {
        let actor = match &token.agent {
            Some(agent) => Party::new(AGENT, agent),
            None => Party::new(kind, &token.label()),
        };
        Self { actor, transport, basis: Basis::Token(token.id, token.grants) }
    }

    /// The same caller under another name.
    #[must_use]
    pub fn named(self, actor: Party) -> Self {
        Self { actor, ..self }
    }

    /// Who goes on record.
    #[must_use]
    pub const fn actor(&self) -> &Party {
        &self.actor
    }

    /// The transport that the request came through.
    #[must_use]
    pub const fn transport(&self) -> &'static str {
        self.transport
    }

    /// Why it may do what it may do.
    #[must_use]
    pub const fn authority(&self) -> Authority {
        match self.basis {
            Basis::Owner => Authority::Owner,
            Basis::Anybody => Authority::Anybody,
            Basis::Token(..) => Authority::Token,
        }
    }

    /// The agent that the caller is, if it is one.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.actor.as_agent()
    }

    /// Whether the caller speaks for a person: a user, or the holder of a token that is not an agent's.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self.actor.kind.as_str(), "user" | "token" | "extension")
    }

    /// Whether this was granted. An agent never administers the keeper: it could lift its own bounds.
    #[must_use]
    pub fn has(&self, grant: Grant) -> bool {
        if grant == Grant::Admin && self.agent().is_some() {
            return false;
        }
        match &self.basis {
            Basis::Owner => true,
            Basis::Anybody => grant != Grant::Admin,
            Basis::Token(_, grants) => grants.contains(&grant),
        }
    }

    /// Whether this is the user who runs the keeper.
    #[must_use]
    pub const fn is_owner(&self) -> bool {
        matches!(self.basis, Basis::Owner)
    }

    /// The token that was presented, if one was.
    #[must_use]
    pub const fn token(&self) -> Option<&TokenId> {
        match &self.basis {
            Basis::Token(id, _) => Some(id),
            Basis::Owner | Basis::Anybody => None,
        }
    }

    /// Who goes on record for what an operation does.
    #[must_use]
    pub fn author(&self, operation: &str) -> Author {
        Author { actor: self.actor.clone(), origin: Party::new(self.transport, operation) }
    }
}

/// The kind of an actor that is an agent.
pub const AGENT: &str = "agent";

/// Kinds of actors that only the keeper puts on record.
const RESERVED: [&str; 7] = ["extension", "outside", "registry", "sync", "system", "token", "unknown"];

/// The text does not name an actor that a caller may act as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadActor {
    /// The kind is for the keeper alone.
    #[error("the actor kind `{0}` is reserved")]
    Reserved(String),
    /// The kind or the name is missing or malformed.
    #[error("an actor is the name of a user, or `KIND:NAME` with a kind of lower-case letters, digits and `-`")]
    Malformed,
}

/// Reads how a caller calls itself: `KIND:NAME`, or the name of a user.
///
/// # Errors
/// When it is not an actor, or one of a reserved kind.
pub fn claimed_actor(text: &str) -> Result<Party, BadActor> {
    let (kind, name) = text.split_once(':').unwrap_or(("user", text));
    let (kind, name) = (kind.trim(), name.trim());
    // One spelling for each kind, so that none looks like a reserved one.
    let is_kind = kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
    match kind {
        "" => Err(BadActor::Malformed),
        _ if !is_kind || name.is_empty() => Err(BadActor::Malformed),
        kind if RESERVED.contains(&kind) => Err(BadActor::Reserved(kind.to_owned())),
        kind => Ok(Party::new(kind, name)),
    }
}

/// Who did something, and through what.
#[derive(Debug, Clone)]
pub struct Author {
    /// Who.
    pub actor: Party,
    /// The transport, and the operation.
    pub origin: Party,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_no_one_that_only_the_keeper_puts_on_record() {
        for (text, kind, name) in [
            ("ada", "user", "ada"),
            ("agent:planner", "agent", "planner"),
            (" client : claude code ", "client", "claude code"),
            ("ci:nightly:7", "ci", "nightly:7"),
        ] {
            assert_eq!(claimed_actor(text), Ok(Party::new(kind, name)), "{text}");
        }
        for kind in RESERVED {
            assert_eq!(claimed_actor(&format!(" {kind} :x")), Err(BadActor::Reserved(kind.to_owned())));
        }
        for text in ["", " ", ":", "user:", ":ada", "Outside:x", "out\u{200b}side:x", "o\u{443}tside:x", "to ken:x"] {
            assert_eq!(claimed_actor(text), Err(BadActor::Malformed), "{text:?}");
        }
    }
}
