use soul_core::edits::EditError;
use soul_core::scan::Report;

use crate::authoring;
use crate::fault::{Fault, Kind};
use crate::ids::ProposalId;
use crate::references;
use crate::souls;
use crate::store::{self, ProposalState};

/// Why a proposal was not kept, accepted or rejected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `self_edit = "refuse"`, and the agent proposes a change of its own soul.
    #[error("the agent `{0}` cannot propose changes of its own soul")]
    Refused(String),
    /// There is neither a text nor an edit, or there are both.
    #[error("give the whole text or edits of sections, one of the two")]
    TextOrEdits,
    /// An edit cannot be made.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The soul is not UTF-8, so that no section of it can be edited.
    #[error("the soul of `{0}` is not UTF-8: propose a whole text")]
    NotText(String),
    /// The text is the one that is there.
    #[error("the proposed text is the current one")]
    Unchanged,
    /// So many proposals are pending that no more are kept.
    #[error("the agent `{agent}` has {most} pending proposals")]
    TooMany {
        /// The agent.
        agent: String,
        /// How many may be pending.
        most: usize,
    },
    /// There is no such proposal.
    #[error("there is no proposal `{0}`")]
    NotFound(ProposalId),
    /// It was decided already.
    #[error("the proposal `{}` was already {}", .0, .1.as_str())]
    Reviewed(ProposalId, ProposalState),
    /// The caller is not a person.
    #[error("only a person can accept or reject a proposal, not `{0}`")]
    NotAPerson(String),
    /// The agent's directory cannot be reached from here.
    #[error("the proposal `{0}` is for an agent `{1}` that is not in this workspace or home")]
    Elsewhere(ProposalId, String),
    /// The soul was changed at the same place.
    #[error("the soul has changed since, at the same place: {}", .0.join(", "))]
    Conflict(Vec<String>),
    /// The request both accepts and rejects.
    #[error("a proposal is either accepted or rejected")]
    Both,
    /// The scanner refuses the text, and there is no reason to accept it all the same.
    #[error("the scanner refuses the text of the proposal `{0}`")]
    Poisoned(ProposalId, Box<Report>),
    /// The name of a proposal or session says too little.
    #[error(transparent)]
    Reference(#[from] references::Error),
    /// There is no soul to work on, or the proposed one is invalid.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The accepted text was not written.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::Refused(_) => (
                Kind::Denied,
                "self_edit",
                "`self_edit` of `[agents.soul]` is `refuse`; ask a person to change the soul",
            ),
            Self::TextOrEdits => (Kind::Usage, "bad_request", "`body` is the whole text, `edits` is a list of edits"),
            Self::Edit(EditError::NoSection { sections, .. }) if !sections.is_empty() => {
                let names: Vec<String> = sections.iter().map(|name| format!("`{name}`")).collect();
                return Fault::new(Kind::Usage, "bad_edit", format!("the sections are {}", names.join(", ")));
            }
            Self::Edit(_) | Self::NotText(_) => (
                Kind::Usage,
                "bad_edit",
                "name a heading of the soul or a field of its frontmatter, or propose a whole text",
            ),
            Self::Unchanged => (Kind::Usage, "nothing_proposed", "change the text, or leave the proposal out"),
            Self::TooMany { .. } => (
                Kind::Conflict,
                "too_many_proposals",
                "wait until a person has reviewed some: `soul proposals` lists them",
            ),
            Self::NotFound(_) => (Kind::NotFound, "proposal_not_found", "`soul proposals --state all` lists them"),
            Self::Reviewed(..) => {
                (Kind::Conflict, "proposal_reviewed", "`soul review ID` shows who decided; propose the change again")
            }
            Self::NotAPerson(_) => (Kind::Denied, "not_a_person", "ask a person to run `soul review ID`"),
            Self::Elsewhere(..) => (Kind::NotFound, "agent_not_found", "run the command in the workspace of the agent"),
            Self::Conflict(_) => (
                Kind::Conflict,
                "proposal_conflict",
                "reject it and ask for a proposal from the current text, or make the change with `soul edit`",
            ),
            Self::Both => (Kind::Usage, "bad_request", "leave one of them out"),
            Self::Poisoned(..) => (
                Kind::Invalid,
                "soul_poisoned",
                "`soul explain ID` explains a finding; reject the proposal, or accept it with a reason (`-m`)",
            ),
            Self::Reference(error) => return error.fault(),
            Self::Soul(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}
