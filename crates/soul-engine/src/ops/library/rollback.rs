//! Bring an earlier text of a soul of the library back, under today's rules.

use super::{Soul, free_name};
use crate::Keeper;
use crate::authoring::{self, Intent, Subject};
use crate::ids::RevisionId;
use crate::library::member::{Member, key};
use crate::library::{Freshness, SoulId};
use crate::ops::load::Text;
use crate::ops::payload::{Asker, Authorship};
use crate::ops::{Error, Grant};
use serde::{Deserialize, Serialize};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Which soul, and to which revision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The soul.
    pub id: SoulId,
    /// The revision.
    pub revision: RevisionId,
    /// The digest of the soul that the asker has seen, if that counts.
    pub expected_digest: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    pub force: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// Puts the text of the revision back into the library. A soul that was deleted comes back so.
///
/// # Errors
/// When there is no such revision, today's rules forbid its text, its name is another's by now, the soul is
/// not what the asker believed, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Soul, Error> {
    let missing = || Error::RevisionNotFound(request.revision.clone());
    // A revision that there is no way back to is no reason to make a folder.
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let earlier = authoring::earlier(store, &key(&request.id), &request.revision)?;
    let member = Member::make(keeper, request.id.clone())?;
    let lock = member.hold(keeper)?;
    let was = Soul::new(member.id.clone(), member.resolve(keeper, None, Text::Proposed(&earlier.body)))?;
    free_name(&*keeper.library_as_of(Freshness::Now)?, &was.name, Some(&member.id))?;
    let now = member.now(keeper);
    let Request { revision, expected_digest, force, asker, .. } = request;
    let authorship = Authorship { expected_digest, force, ..Authorship::plain(asker) };
    let applied = member.apply(keeper, &lock, &now, Intent::Rollback(revision), authorship)?;
    Soul::changed(member.id, applied)
}
