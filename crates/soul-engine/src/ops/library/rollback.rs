//! Restore an earlier text of a library soul, under today's rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Soul, check_name};
use crate::authoring::{self, Change, Intent, recorded_soul};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, NonBlank, given};
use crate::ids::RevisionId;
use crate::library::member::{Member, key};
use crate::library::{Freshness, SoulId};
use crate::ops::{Error, Hints, Operation};

/// Restore an earlier revision of a library soul, even of a deleted one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// Id of the revision to restore, from the soul's history.
    pub revision_id: RevisionId,
    /// Digest of the soul as you have seen it; refuses to replace any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
    /// Why to restore the text although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "library.rollback";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Soul;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Soul, Error> {
        let keeper = context.keeper;
        let missing = || authoring::Error::RevisionNotFound(self.revision_id.clone());
        // The folder is only made for a revision that exists.
        let store = keeper.existing_store()?.ok_or_else(missing)?;
        let revision_id = authoring::named(store, &key(keeper, &self.id), &self.revision_id)?;
        let earlier = authoring::earlier(store, &key(keeper, &self.id), &revision_id)?;
        let member = Member::make(keeper, self.id)?;
        let lock = member.lock(keeper)?;
        let restored =
            Soul::new(keeper, member.id.clone(), recorded_soul(keeper, &member, Some(&earlier.body), earlier.dialect))?;
        check_name(&*keeper.library_as_of(Freshness::Now)?, &restored.name, Some(&member.id))?;
        let now = member.now(keeper);
        let change = Change {
            expected: self.expected_digest,
            force: self.force,
            ..Change::new(Intent::Rollback(revision_id), context.author(Self::NAME))
        };
        let applied = member.apply(keeper, &lock, &now, change)?;
        Soul::changed(keeper, member.id, applied)
    }
}
