//! List the revisions of a library soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::authoring::{Subject, recover_if_idle};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Cursor, Limit, given};
use crate::library::SoulId;
use crate::library::member::{Member, key};
use crate::ops::history::{Page, Response};
use crate::ops::{Error, Hints, Load, Operation};
use crate::{seed, souls};

/// List the revisions of a library soul, newest first. A deleted soul still has its revisions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// Maximum number of revisions.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// Include the text of each revision.
    #[serde(default)]
    pub bodies: bool,
    /// Include what each revision changed, as a unified diff.
    #[serde(default)]
    pub diffs: bool,
}

impl Operation for Request {
    const NAME: &'static str = "library.history";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        if self.diffs || self.limit > Limit::DEFAULT { Load::Slow } else { Load::Quick }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        seed::library_if_possible(keeper);
        let Self { id, limit, cursor, bodies, diffs } = self;
        let key = key(keeper, &id);
        let member = Member::open(keeper, id.clone())?;
        if let Some(member) = &member {
            recover_if_idle(keeper, member, &key)?;
        }
        let exists = member.as_ref().is_some_and(|member| member.now(keeper).is_present());
        let existed = || keeper.existing_store()?.map_or(Ok(None), |store| store.tail(&key).map(|tail| tail.last));
        if !exists && existed()?.is_none() {
            return Err(souls::Error::SoulNotFound(id).into());
        }
        let subject = member.as_ref().map(|member| -> &dyn Subject { member });
        Page { limit, cursor, bodies, diffs }.read(context, Some(&key), subject)
    }
}
