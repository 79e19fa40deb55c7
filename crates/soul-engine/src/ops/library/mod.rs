//! The library of souls. Keys of responses are camelCase, as the routes spell them that the library is known
//! by.

pub mod create;
pub mod current;
pub mod delete;
pub mod diff;
pub mod history;
pub mod list;
pub mod rollback;
pub mod select;
pub mod show;
pub mod update;

operations! { create, current, delete, diff, history, list, rollback, select, show, update }

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::scan::Finding;
use soul_core::sigil::Parts;

use super::Error;
use crate::Keeper;
use crate::authoring::Applied;
use crate::ids::RevisionId;
use crate::library::member::{key, parts};
use crate::library::{self, Index, SoulId};
use crate::souls::{self, Resolved};

/// The longest name, in bytes.
const MAX_NAME: usize = 1 << 10;
/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 8 << 10;
/// The longest content, in bytes.
const MAX_CONTENT: usize = 512 << 10;

/// A soul of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibrarySoul")]
pub struct Soul {
    /// The text that reaches a model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// What the soul is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Digest of the soul, to be given as `expected_digest` with a change.
    pub digest: Option<Digest>,
    /// Id of the soul.
    pub id: SoulId,
    /// Name of the soul.
    pub name: String,
    /// Digest of each part of the soul: what its sigil is drawn from.
    #[serde(default)]
    pub parts: Parts,
    /// Colour of its sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// Digest of the bytes of its file.
    #[serde(default)]
    pub raw_digest: Option<RawDigest>,
    /// The whole file, if the request asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The revision that has the text, if a change was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<RevisionId>,
    /// Whether the text was there already, and nothing was changed or recorded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// What the scanner found in the text and accepted, if a change was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

impl Soul {
    /// A soul that was read; an invalid one is an error.
    fn new(keeper: &Keeper, id: SoulId, soul: Resolved) -> Result<Self, Error> {
        match parts(&soul).filter(|_| soul.is_valid()) {
            Some(parts) => Ok(Self {
                content: parts.content().to_owned(),
                description: parts.description().to_owned(),
                digest: soul.digest,
                name: parts.name().to_owned(),
                parts: Parts::of(&soul.soul),
                hue: key(keeper, &id).hue(),
                raw_digest: soul.raw_digest,
                text: None,
                revision_id: None,
                unchanged: false,
                findings: Vec::new(),
                id,
            }),
            None if soul.is_present() => Err(souls::Error::Invalid(Box::new(soul)).into()),
            None => Err(souls::Error::SoulNotFound(id).into()),
        }
    }

    fn changed(keeper: &Keeper, id: SoulId, applied: Applied) -> Result<Self, Error> {
        let Applied { soul, revision, unchanged, findings, .. } = applied;
        Ok(Self { revision_id: Some(revision.sealed.id), unchanged, findings, ..Self::new(keeper, id, soul)? })
    }
}

/// Refuses what is larger than any soul that people write.
fn check_length(what: &'static str, text: &str, max: usize) -> Result<(), library::Error> {
    let bytes = text.len();
    if bytes > max { Err(library::Error::TooLong { what, bytes, max }) } else { Ok(()) }
}

/// Refuses a name that another soul has.
fn check_name(index: &Index, name: &str, besides: Option<&SoulId>) -> Result<(), library::Error> {
    match index.named(name, besides) {
        Some(other) => Err(library::Error::NameTaken { name: name.to_owned(), id: other.id.clone() }),
        None => Ok(()),
    }
}
