//! List proposed changes of souls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{BadCursor, Cursor, Limit, given};
use crate::ids::ProposalId;
use crate::store::{Proposal, ProposalState};
use crate::workspace::AgentName;

/// List proposed changes of souls, newest first; without a state, those that are pending.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only proposals for this agent.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// Only proposals in this state, or `all`. Default: `pending`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<StateFilter>,
    /// The largest number of proposals.
    #[serde(default)]
    pub limit: Limit,
    /// Continue after this cursor.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// The state of the proposals that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ProposalStateFilter", transform = soul_core::schema::spellings)]
pub enum StateFilter {
    /// Those that wait for a person.
    #[default]
    Pending,
    /// Those that were accepted.
    Accepted,
    /// Those that were rejected.
    Rejected,
    /// All of them.
    All,
}

impl StateFilter {
    const fn state(self) -> Option<ProposalState> {
        match self {
            Self::Pending => Some(ProposalState::Pending),
            Self::Accepted => Some(ProposalState::Accepted),
            Self::Rejected => Some(ProposalState::Rejected),
            Self::All => None,
        }
    }
}

impl std::str::FromStr for StateFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "pending" => Ok(Self::Pending),
            "accepted" => Ok(Self::Accepted),
            "rejected" => Ok(Self::Rejected),
            "all" => Ok(Self::All),
            _ => Err("the states are pending, accepted, rejected and all".to_owned()),
        }
    }
}

/// A page of proposals, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProposalPage")]
pub struct Response {
    /// The proposals.
    pub proposals: Vec<Proposal>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<Cursor>,
}

impl Operation for Request {
    const NAME: &'static str = "proposals";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Some(store) = context.keeper.existing_store()? else {
            return Ok(Response { proposals: Vec::new(), next_cursor: None });
        };
        let before: Option<ProposalId> = self.cursor.as_ref().map(|cursor| cursor.as_str().to_owned().into());
        if let Some(id) = &before
            && store.proposal(id)?.is_none()
        {
            return Err(BadCursor(id.as_str().to_owned()).into());
        }
        let agent = self.agent.as_ref().map(AgentName::as_str);
        let state = self.state.unwrap_or_default().state();
        let mut proposals = store.proposals(agent, state, before.as_ref(), self.limit.and_one())?;
        let more = self.limit.cut(&mut proposals);
        let next_cursor = proposals.last().filter(|_| more.is_some()).map(|last| Cursor::new(last.id.as_str()));
        Ok(Response { proposals, next_cursor })
    }
}
