use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::scan::Finding;

use super::{Message, Party};
use crate::clock::Time;
use crate::ids::{ProposalId, RevisionId};
use crate::workspace::{Kind, SoulKey};

/// The state of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum ProposalState {
    /// It waits for a person.
    Pending,
    /// It was accepted, and is recorded as a revision.
    Accepted,
    /// It was rejected.
    Rejected,
}

impl ProposalState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Accepted, Self::Rejected];

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A proposed change of a soul.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// The proposal's id.
    pub id: ProposalId,
    /// The agent whose soul is to change; with the kind `library`, the id of the library soul.
    pub agent: String,
    /// Whether it is about an agent's soul or one of the library.
    #[serde(default = "agent_kind", skip_serializing_if = "is_agent_kind")]
    pub kind: Kind,
    /// `home`, or the id of the agent's workspace.
    pub scope: String,
    /// Whether it is pending, accepted or rejected.
    pub state: ProposalState,
    /// What it changes, in one line.
    pub summary: String,
    /// Why it was proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it is based on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The session in which it came up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Digest of the soul that it was made from; `null` if there was none, or it was invalid.
    pub base_digest: Option<Digest>,
    /// Digest of the bytes that it was made from; `null` if there was no file.
    pub base_raw_digest: Option<RawDigest>,
    /// Digest of the soul as proposed.
    pub new_digest: Option<Digest>,
    /// Digest of the proposed bytes.
    pub raw_digest: RawDigest,
    /// The dialect that the proposed text was read in.
    pub dialect: Option<Dialect>,
    /// Whether the scanner refuses the text, so that it can only be accepted with a reason.
    pub poisoned: bool,
    /// What the scanner found in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What the validator says about the text; an invalid one is never kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// Who proposed it.
    pub proposer: Party,
    /// Through what it was proposed.
    pub origin: Party,
    /// When it was proposed.
    pub created_at: Time,
    /// Who accepted or rejected it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<Party>,
    /// Why it was accepted or rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_message: Option<String>,
    /// When it was accepted or rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_at: Option<Time>,
    /// The revision that it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<RevisionId>,
}

impl Proposal {
    /// The key of the soul that is to change.
    #[must_use]
    pub fn key(&self) -> SoulKey {
        SoulKey { scope: self.scope.clone(), kind: self.kind, name: self.agent.clone() }
    }

    /// Whether the soul is to be deleted. Only a deletion has no digest: what is proposed otherwise is valid.
    #[must_use]
    pub const fn is_deletion(&self) -> bool {
        self.new_digest.is_none()
    }
}

const fn agent_kind() -> Kind {
    Kind::Agent
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_agent_kind(kind: &Kind) -> bool {
    *kind == Kind::Agent
}

/// The bytes of a proposal, and those that it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedText {
    /// What was in the file when it was proposed.
    pub base: Option<Vec<u8>>,
    /// What is to be in it.
    pub body: Vec<u8>,
}

/// A proposal to be kept.
#[derive(Debug, Clone)]
pub struct NewProposal {
    /// The soul.
    pub key: SoulKey,
    /// The soul that it was made from.
    pub base_digest: Option<Digest>,
    /// The soul as proposed.
    pub new_digest: Option<Digest>,
    /// The texts.
    pub text: ProposedText,
    /// The dialect that the proposed text was read in.
    pub dialect: Option<Dialect>,
    /// What it changes, in one line.
    pub summary: String,
    /// Why.
    pub reason: Option<String>,
    /// What it is based on.
    pub evidence: Option<String>,
    /// The session in which it came up.
    pub session: Option<String>,
    /// Whether the scanner refuses the text.
    pub poisoned: bool,
    /// What the scanner found.
    pub findings: Vec<Finding>,
    /// What the validator says.
    pub diagnostics: Vec<Diagnostic>,
    /// Who proposes it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// The most proposals of one soul that may be pending.
    pub most: usize,
    /// The time.
    pub now: Time,
}

/// The result of adding a proposal.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposed {
    /// It was kept.
    Kept(Box<Proposal>),
    /// The same text is pending already.
    Same(Box<Proposal>),
    /// So many are pending that no more are kept.
    Full,
}

/// What a reviewer decided.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The new state: accepted or rejected.
    pub state: ProposalState,
    /// Why.
    pub message: Option<Message>,
    /// The revision that it became.
    pub revision: Option<RevisionId>,
    /// Who decided.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// The time.
    pub now: Time,
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq)]
pub enum Reviewed {
    /// It is recorded.
    Done(Box<Proposal>),
    /// It was decided before.
    Already(Box<Proposal>),
    /// There is no such proposal.
    Missing,
}
