//! Reconnect a workspace with its record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::root;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::NonBlank;
use crate::ops::{Error, Hints, Operation};
use crate::places;

/// Reconnect this workspace, whose `.soul/id` was lost, with its record.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The id of the record, as `workspace.list` shows it. Without one, the only record that fits: one whose
    /// directory is gone and that has an agent of this workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<NonBlank>,
}

/// The record that the workspace is connected with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceAdopt")]
pub struct Response {
    /// The id of the record, now in `.soul/id`.
    pub scope: String,
    /// How many souls it has.
    pub souls: usize,
    /// How many revisions it has of its own.
    pub revisions: usize,
}

impl Operation for Request {
    const NAME: &'static str = "workspace.adopt";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let wanted = self.scope.as_ref().map(NonBlank::as_str);
        let record = places::adopt(keeper, root(keeper)?, wanted, &context.author(Self::NAME))?;
        Ok(Response { scope: record.scope, souls: record.souls.len(), revisions: record.revisions })
    }
}
