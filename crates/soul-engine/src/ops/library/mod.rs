//! The library of souls, one file an operation. Keys are spelled as the routes spell them that the
//! library is known by.

pub mod create;
pub mod current;
pub mod delete;
pub mod history;
pub mod list;
pub mod rollback;
pub mod seed;
pub mod select;
pub mod show;
pub mod update;

use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::Error;
use super::inspect;
use crate::authoring::Applied;
use crate::ids::RevisionId;
use crate::library::member::parts;
use crate::library::{self, Index, SoulId};

/// The most bytes of a name, of a description, and of all of a soul.
const MAX_NAME: usize = 1 << 10;
const MAX_DESCRIPTION: usize = 8 << 10;
const MAX_CONTENT: usize = 512 << 10;

/// A soul of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Soul {
    /// The text that reaches a model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What names all of this, for whoever wants to change only what he has seen.
    pub digest: Option<Digest>,
    /// Its id.
    pub id: SoulId,
    /// What people call it.
    pub name: String,
    /// The revision that was recorded, if the operation changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<RevisionId>,
}

impl Soul {
    /// A soul that was read; an invalid one is an error.
    fn new(id: SoulId, soul: inspect::Response) -> Result<Self, Error> {
        match parts(&soul).filter(|_| soul.valid) {
            Some(parts) => Ok(Self {
                content: parts.content().to_owned(),
                description: parts.description().to_owned(),
                digest: soul.digest,
                name: parts.name().to_owned(),
                revision_id: None,
                id,
            }),
            None if soul.present => Err(Error::Invalid(Box::new(soul))),
            None => Err(library::Error::NotFound(id).into()),
        }
    }

    fn changed(id: SoulId, applied: Applied) -> Result<Self, Error> {
        Ok(Self { revision_id: Some(applied.revision.sealed.id), ..Self::new(id, applied.soul)? })
    }
}

/// Refuses what is larger than any soul that people write.
fn bounded(what: &'static str, text: &str, max: usize) -> Result<(), library::Error> {
    let bytes = text.len();
    if bytes > max { Err(library::Error::TooLong { what: what.into(), bytes, max }) } else { Ok(()) }
}

/// A name is one soul's.
fn free_name(index: &Index, name: &str, besides: Option<&SoulId>) -> Result<(), library::Error> {
    match index.named(name, besides) {
        Some(other) => Err(library::Error::NameTaken { name: name.to_owned(), id: other.id.clone() }),
        None => Ok(()),
    }
}
