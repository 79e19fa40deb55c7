//! What can be wrong with a link of a chain, and links that were accepted although they are broken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Party, Revision};
use crate::clock::Time;
use crate::ids::RevisionId;
use crate::workspace::SoulKey;

/// What is wrong with a revision, given the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkProblem {
    /// A revision before this one is missing.
    Missing,
    /// It, or one before it, is not what was recorded.
    Changed,
    /// Its text is not the one that was recorded.
    Text,
    /// It was written over an earlier revision than the one before it.
    Forked,
}

impl LinkProblem {
    const ALL: [Self; 4] = [Self::Missing, Self::Changed, Self::Text, Self::Forked];

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Text => "text",
            Self::Forked => "forked",
        }
    }

    pub(super) fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|problem| problem.as_str() == text)
    }

    /// The same in a sentence.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Missing => "a revision before this one is missing",
            Self::Changed => "it, or one before it, was changed after it was recorded",
            Self::Text => "its text was changed after it was recorded",
            Self::Forked => "it does not follow from the one before it",
        }
    }
}

/// A broken link that a person has accepted. It covers the link as it was then: what changes afterwards is reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RepairedLink")]
pub struct Repair {
    /// The revision that does not follow from the one before it.
    pub revision: RevisionId,
    /// Its number.
    pub seq: i64,
    /// What is wrong.
    pub problem: LinkProblem,
    /// The chain of the revision before it.
    pub previous_chain: Option<Digest>,
    /// Its own chain.
    pub chain: Digest,
    /// The chain that it would have if it followed from the one before it, which covers all of its fields.
    pub content: Digest,
    /// Who accepted it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// When.
    pub created_at: Time,
}

impl Repair {
    fn accepts(&self, revision: &Revision, previous: Option<Digest>, problem: LinkProblem) -> bool {
        self.revision == revision.sealed.id
            && self.problem == problem
            && self.previous_chain == previous
            && self.chain == revision.chain
            && self.content == revision.sealed.chain(previous)
    }
}

/// What is accepted of a soul's record.
#[derive(Debug, Clone)]
pub struct NewRepair {
    /// The soul.
    pub key: SoulKey,
    /// Broken links.
    pub links: Vec<Repair>,
    /// Pending revisions that others were chained onto; they become done.
    pub stuck: Vec<Revision>,
    /// Who accepts it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
    /// The time.
    pub now: Time,
}

impl NewRepair {
    /// Whether there is nothing to accept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty() && self.stuck.is_empty()
    }
}

/// Whether a revision follows from the one before it. A link that was accepted as it is does, and is returned.
///
/// # Errors
/// What is wrong.
pub fn check_link<'a>(
    revision: &Revision,
    last: Option<&Revision>,
    repairs: &'a [Repair],
) -> Result<Option<&'a Repair>, LinkProblem> {
    let previous = last.map(|last| last.chain);
    let problem = if revision.sealed.seq != last.map_or(0, |last| last.sealed.seq) + 1 {
        Some(LinkProblem::Missing)
    } else if revision.sealed.chain(previous) != revision.chain {
        Some(LinkProblem::Changed)
    } else if revision.sealed.previous_digest != last.and_then(|last| last.sealed.new_digest) {
        Some(LinkProblem::Forked)
    } else {
        None
    };
    let is_text_intact = revision.body.as_deref().map(RawDigest::of) == revision.sealed.raw_digest;
    match problem {
        Some(problem @ (LinkProblem::Missing | LinkProblem::Changed)) => {
            let repair = repairs.iter().find(|repair| repair.accepts(revision, previous, problem)).ok_or(problem)?;
            if is_text_intact { Ok(Some(repair)) } else { Err(LinkProblem::Text) }
        }
        _ if !is_text_intact => Err(LinkProblem::Text),
        Some(problem) => {
            repairs.iter().find(|repair| repair.accepts(revision, previous, problem)).map(Some).ok_or(problem)
        }
        None => Ok(None),
    }
}
