//! Show a proposed change of a soul, and accept or reject it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::propose::Response;
use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ids::ProposalId;
use crate::proposals::{self, Accepted, Standing};
use crate::store::Message;

/// Show a proposed change of a soul against the current text, or accept or reject it. Only a person can decide. What
/// others have changed since is merged; accepting is recorded with the proposer and the reviewer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The proposal: its id, or at least six characters from the beginning of it.
    pub id: ProposalId,
    /// Accept it: the soul changes.
    #[serde(default)]
    pub accept: bool,
    /// Reject it, for this reason (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub reject: Option<Message>,
    /// Why it is accepted (recorded); required if the scanner refuses the text.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

impl Request {
    /// Shows a proposal.
    #[must_use]
    pub const fn new(id: ProposalId) -> Self {
        Self { id, accept: false, reject: None, message: None }
    }
}

impl Operation for Request {
    const NAME: &'static str = "review";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.accept || self.reject.is_some() { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (keeper, caller, author) = (context.keeper, context.caller, context.author(Self::NAME));
        match (self.accept, self.reject) {
            (true, Some(_)) => Err(proposals::Error::Both.into()),
            (true, None) => {
                let accepted = proposals::accept(keeper, &self.id, self.message, caller, author)?;
                let Accepted { proposal, applied, standing } = accepted;
                Ok(Response::new(keeper, Standing { proposal, ..standing }, Some(applied)))
            }
            (false, Some(reason)) => {
                let standing = proposals::reject(keeper, &self.id, reason, caller, author)?;
                Ok(Response::new(keeper, standing, None))
            }
            (false, None) => Ok(Response::new(keeper, proposals::show(keeper, &self.id)?, None)),
        }
    }
}
