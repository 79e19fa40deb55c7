//! Give a copy of a workspace a record of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::root;
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::places::{self, Forked};

/// Give this workspace an id and a record of its own. The record begins with the history so far, and with the traits
/// and moods of the agents; from then on, changes here and in the original do not concern each other. Sessions stay
/// with the original.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The new record, and the one that it continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceFork")]
pub struct Response {
    /// The id of the new record, now in `.soul/id`.
    pub scope: String,
    /// The id of the record that it continues.
    pub parent: String,
    /// How many souls have their history continued.
    pub souls: usize,
}

impl Operation for Request {
    const NAME: &'static str = "workspace.fork";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let Forked { scope, parent, souls } = places::fork(keeper, root(keeper)?, &context.author(Self::NAME))?;
        Ok(Response { scope, parent, souls })
    }
}
