//! What changed between two texts of a soul.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::{Change, Soul, changes};
use soul_core::text::{DiffBudget, unified_diff};

use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::authoring;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{given, wire_schema};
use crate::files;
use crate::ids::RevisionId;
use crate::souls::{self, Loader, Text};
use crate::workspace::{Agent, AgentName};

/// Compare two texts of an agent's soul, by meaning and line by line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The earlier text: a revision by its id, the beginning of it, `@`, `@-` or `@-2`; or `file`. Default: the last
    /// revision.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<Side>,
    /// The later text, named in the same way. Default: the file.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub to: Option<Side>,
}

/// One of the two texts: the file, or a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// The text in the file.
    File,
    /// The text of a revision.
    Revision(RevisionId),
}

impl From<String> for Side {
    fn from(text: String) -> Self {
        if text == "file" { Self::File } else { Self::Revision(text.into()) }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::Revision(id) => id.fmt(f),
        }
    }
}

impl Serialize for Side {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::File => serializer.serialize_str("file"),
            Self::Revision(id) => id.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

wire_schema!(Side, { "type": "string", "examples": ["file", "rev_01M7GVG0TYK2D49F5V98J74R1N"] });

/// The difference between two texts of a soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SoulDiff")]
pub struct Response {
    /// The earlier text.
    pub from: Compared,
    /// The later text.
    pub to: Compared,
    /// What changed in meaning; limits first, and of those the removed ones.
    pub changes: Vec<Change>,
    /// What changed line by line, as a unified diff.
    pub text: String,
}

/// One of the two texts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiffSide")]
pub struct Compared {
    /// `file`, or the id of a revision.
    pub name: String,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes; `null` if there is no text.
    #[serde(default)]
    pub raw_digest: Option<RawDigest>,
    /// Whether there is a text.
    pub present: bool,
}

struct Read {
    compared: Compared,
    text: String,
    soul: Soul,
}

impl Operation for Request {
    const NAME: &'static str = "diff";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let agent = keeper.agent(&self.agent)?;
        let from = match self.from {
            Some(side) => Some(side),
            None => last(keeper, &agent)?.map(Side::Revision),
        };
        let from = read(keeper, &agent, from.as_ref())?;
        let to = read(keeper, &agent, Some(self.to.as_ref().unwrap_or(&Side::File)))?;
        Ok(Response {
            changes: changes(&from.soul, &to.soul),
            text: unified_diff(&from.text, &to.text, &mut DiffBudget::ONE.clone()),
            from: from.compared,
            to: to.compared,
        })
    }
}

fn last(keeper: &Keeper, agent: &Agent) -> Result<Option<RevisionId>, Error> {
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
    let (Some(store), Some(key)) = (keeper.existing_store()?, key) else { return Ok(None) };
    authoring::recover_if_idle(keeper, agent, &key)?;
    Ok(store.tail(&key)?.last.map(|revision| revision.sealed.id))
}

fn read(keeper: &Keeper, agent: &Agent, side: Option<&Side>) -> Result<Read, Error> {
    let (name, bytes, soul, recorded) = match side {
        // An agent without a history began with nothing.
        None => ("nothing".to_owned(), None, None, None),
        Some(Side::File) => {
            let file = agent.soul_file();
            let bytes = match agent.directory.read(&file) {
                Ok(bytes) => Some(bytes),
                Err(files::Error::NotFound) => None,
                Err(error) => {
                    let shown = keeper.roots.shown(&agent.path.join(file));
                    return Err(souls::Error::Layer(shown, error.into()).into());
                }
            };
            let text = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
            let soul = Loader::chosen(keeper, keeper.chosen_dialect(agent)?).agent(agent, text);
            ("file".to_owned(), bytes, Some(soul), None)
        }
        Some(Side::Revision(id)) => {
            let missing = || authoring::Error::RevisionNotFound(id.clone());
            let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
            let store = keeper.existing_store()?.ok_or_else(missing)?;
            let id = authoring::named(store, &key, id)?;
            let revision = store.revision(&key, &id)?.ok_or_else(missing)?;
            let soul = authoring::recorded_soul(keeper, agent, revision.body.as_deref(), revision.sealed.dialect);
            (id.to_string(), revision.body, Some(soul), revision.sealed.new_digest)
        }
    };
    let soul = soul.filter(|_| bytes.is_some());
    // A digest that is on record stays as it is, whatever the files beside the soul and this program say today.
    let digest = recorded.or_else(|| soul.as_ref()?.digest);
    let raw_digest = bytes.as_deref().map(RawDigest::of);
    let compared = Compared { name, digest, raw_digest, present: bytes.is_some() };
    let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
    Ok(Read { compared, text, soul: soul.map(|soul| soul.soul).unwrap_or_default() })
}
