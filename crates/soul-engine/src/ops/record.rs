//! Record what is in an agent's file, in the caller's name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;

use super::{Error, Hints, Operation, write};
use crate::authoring::{self, Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::store::Message;
use crate::workspace::AgentName;

/// Record an agent's soul as it is in its file, as a change of the caller. The text is checked like one that is
/// written; the file stays as it is.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The dialect to read the soul in from now on. Default: the pinned one, else the detected one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Why the change is made (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to record the text although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "record";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = write::Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<write::Response, Error> {
        let Self { agent, dialect, message, force } = self;
        let keeper = context.keeper;
        let change = Change { dialect, message, force, ..Change::new(Intent::Record, context.author(Self::NAME)) };
        let applied = authoring::apply(keeper, &keeper.agent(&agent)?, change)?;
        Ok(write::Response::new(keeper, applied))
    }
}
