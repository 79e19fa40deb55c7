//! Show a soul of the library, with its content.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats::Document;

use super::Soul;
use crate::authoring::recover_if_idle;
use crate::caller::Grant;
use crate::context::Context;
use crate::library::SoulId;
use crate::library::member::{Member, key};
use crate::ops::{Error, Hints, Operation};
use crate::seed;

/// Show a soul of the library, with its content.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// Include the whole file, with its frontmatter.
    #[serde(default)]
    pub source: bool,
}

impl Operation for Request {
    const NAME: &'static str = "library.show";
    const HINTS: Hints = Hints::READ;
    type Response = Soul;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Soul, Error> {
        let keeper = context.keeper;
        seed::library_if_possible(keeper);
        let member = Member::existing(keeper, self.id)?;
        recover_if_idle(keeper, &member, &key(keeper, &member.id))?;
        let soul = member.now(keeper);
        let whole = |document: &Document| String::from_utf8_lossy(document.source().bytes()).into_owned();
        let text = soul.document.as_ref().filter(|_| self.source).map(whole);
        Ok(Soul { text, ..Soul::new(keeper, member.id, soul)? })
    }
}
