//! Delete a soul of the library. Its text stays on record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::authoring::{Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, NonBlank, given};
use crate::ids::RevisionId;
use crate::library::member::Member;
use crate::library::{Error as LibraryError, SoulId, chain};
use crate::ops::{Error, Hints, Operation};
use crate::{seed, souls};

/// Delete a soul of the library. Its history stays, and a rollback restores it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// Why to delete the soul even if it is selected or the default (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
    /// Digest of the soul as you have seen it; refuses to delete any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
}

/// The deletion, as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibraryDeletion")]
pub struct Response {
    /// Id of the deleted soul.
    pub id: SoulId,
    /// The revision that records the deletion.
    pub revision_id: RevisionId,
}

impl Operation for Request {
    const NAME: &'static str = "library.delete";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        seed::library(keeper)?;
        let member = Member::existing(keeper, self.id)?;
        let lock = member.lock(keeper)?;
        let now = member.now(keeper);
        if !now.is_present() {
            return Err(souls::Error::SoulNotFound(member.id).into());
        }
        if self.force.is_none() {
            if chain::selected(keeper)?.as_ref() == Some(&member.id) {
                return Err(LibraryError::Selected(member.id).into());
            }
            if member.id.is_default() {
                return Err(LibraryError::Default(member.id).into());
            }
        }
        let change = Change {
            expected: self.expected_digest,
            force: self.force,
            ..Change::new(Intent::Delete, context.author(Self::NAME))
        };
        let applied = member.apply(keeper, &lock, &now, change)?;
        Ok(Response { id: member.id, revision_id: applied.revision.sealed.id })
    }
}
