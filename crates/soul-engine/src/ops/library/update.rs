//! Change a soul of the library. What is not named stays as it is, to the byte.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats::dagu::Changes;

use super::{MAX_CONTENT, MAX_DESCRIPTION, MAX_NAME, Soul, check_length, check_name};
use crate::authoring::{Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, NonBlank, given};
use crate::library::member::{Member, parts};
use crate::library::{Error as LibraryError, Freshness, SoulId};
use crate::ops::{Error, Hints, Operation};
use crate::seed;

/// Replace a library soul's name, description or content. What is absent stays as it is.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// New name; a blank one leaves the name as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// New description; an empty one removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// New content; a blank one leaves the content as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Digest of the soul as you have seen it; refuses to replace any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_digest: Option<ExpectedDigest>,
    /// Why to write the soul although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "library.update";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Soul;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Soul, Error> {
        let keeper = context.keeper;
        seed::library(keeper)?;
        let trimmed = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let (name, content) = (trimmed(self.name.as_deref()), trimmed(self.content.as_deref()));
        let check = |what, text: Option<&str>, max| text.map_or(Ok(()), |text| check_length(what, text, max));
        check("name", name.as_deref(), MAX_NAME)?;
        check("description", self.description.as_deref(), MAX_DESCRIPTION)?;
        check("content", content.as_deref(), MAX_CONTENT)?;

        let member = Member::existing(keeper, self.id)?;
        let lock = member.lock(keeper)?;
        let now = member.now(keeper);
        let current = Soul::new(keeper, member.id.clone(), now.clone())?;
        if let Some(name) = name.as_deref().filter(|name| *name != current.name) {
            check_name(&*keeper.library_as_of(Freshness::Now)?, name, Some(&member.id))?;
        }
        let changes =
            Changes { name: name.as_deref(), description: self.description.as_deref(), content: content.as_deref() };
        let not_editable = || LibraryError::NotEditable(member.id.clone());
        let text = parts(&now).and_then(|parts| parts.with(changes)).ok_or_else(not_editable)?;
        let change = Change {
            expected: self.expected_digest,
            force: self.force,
            ..Change::new(Intent::Put(text), context.author(Self::NAME))
        };
        let applied = member.apply(keeper, &lock, &now, change)?;
        Soul::changed(keeper, member.id, applied)
    }
}
