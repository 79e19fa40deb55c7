//! Let a copy of a workspace use the same record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::root;
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::places;

/// Let this copy of a workspace change the record that it has in common with the original. Changes from all of them
/// take turns.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The record, and every directory that shares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceShare")]
pub struct Response {
    /// The id of the record, which all of them have in `.soul/id`.
    pub scope: String,
    /// The last part of each directory's path; this one is `.`.
    pub places: Vec<String>,
}

impl Operation for Request {
    const NAME: &'static str = "workspace.share";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let (scope, places) = places::share(keeper, root(keeper)?, &context.author(Self::NAME))?;
        Ok(Response { scope, places: places.iter().map(|place| places::shown(keeper, place)).collect() })
    }
}
