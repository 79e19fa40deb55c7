//! Show a soul of the library, with its content.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
        Soul::new(member.id, soul)
    }
}
