//! Take a soul out of the library. What it was stays on record.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::authoring::Intent;
use crate::ids::RevisionId;
use crate::library::member::Member;
use crate::library::{Error as LibraryError, SoulId, chain};
use crate::ops::payload::{Asker, Authorship};
use crate::ops::{Error, Grant};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Which soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Its id.
    pub id: SoulId,
    /// Whether it goes even if it is the one that is selected, or the default.
    pub force: bool,
    /// The digest of the soul that the asker has seen, if that counts.
    pub expected_digest: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The soul.
    pub id: SoulId,
    /// The revision.
    pub revision_id: RevisionId,
}

/// Takes the soul's file away.
///
/// # Errors
/// When there is none, it is in use, it is not what the asker believed, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let member = Member::existing(keeper, request.id)?;
    let lock = member.hold(keeper)?;
    let now = member.now(keeper);
    if !now.present {
        return Err(LibraryError::NotFound(member.id).into());
    }
    if !request.force {
        if chain::selected(keeper)?.as_ref() == Some(&member.id) {
            return Err(LibraryError::Selected(member.id).into());
        }
        if member.id.is_default() {
            return Err(LibraryError::Default(member.id).into());
        }
    }
    let authorship = Authorship { expected_digest: request.expected_digest, ..Authorship::plain(request.asker) };
    let applied = member.apply(keeper, &lock, &now, Intent::Delete, authorship)?;
    Ok(Response { id: member.id, revision_id: applied.revision.sealed.id })
}
