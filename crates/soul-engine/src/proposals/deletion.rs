//! Proposals to delete a soul, because the remote that it is synced with has deleted it.

use soul_core::digest::RawDigest;

use super::review::reviewed;
use super::{Difference, Error, MOST_PENDING, Standing, found};
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Intent, Subject};
use crate::caller::Author;
use crate::fields::ExpectedDigest;
use crate::files;
use crate::ids::ProposalId;
use crate::library::member::Member;
use crate::souls::{self, Resolved, Text};
use crate::store::{Message, NewProposal, Proposal, ProposalState, Proposed, ProposedText, Verdict};
use crate::workspace::Kind;

/// Keeps a proposal to delete a soul. The same one is kept once.
pub(crate) fn propose_deletion(
    keeper: &Keeper,
    subject: &dyn Subject,
    reason: &str,
    author: &Author,
) -> Result<ProposalId, Error> {
    let (base, soul) = current(keeper, subject)?;
    let mut reason = soul_core::text::visible(reason);
    reason.truncate(reason.floor_char_boundary(Message::MAX));
    let new = NewProposal {
        key: subject.key()?,
        base_digest: soul.digest,
        new_digest: None,
        text: ProposedText { base, body: Vec::new() },
        dialect: soul.dialect(),
        summary: "deletes the soul".to_owned(),
        reason: Some(reason),
        evidence: None,
        session: None,
        poisoned: false,
        findings: Vec::new(),
        diagnostics: Vec::new(),
        actor: author.actor.clone(),
        origin: author.origin.clone(),
        most: MOST_PENDING,
        now: keeper.now(),
    };
    match keeper.store()?.propose(&new)? {
        Proposed::Kept(proposal) | Proposed::Same(proposal) => Ok(proposal.id),
        Proposed::Full => Err(Error::TooMany { agent: new.key.name, most: MOST_PENDING }),
    }
}

fn current(keeper: &Keeper, subject: &dyn Subject) -> Result<(Option<Vec<u8>>, Resolved), Error> {
    let file = subject.file();
    let bytes = match subject.directory().read(&file) {
        Ok(bytes) => Some(bytes),
        Err(files::Error::NotFound) => None,
        Err(error) => return Err(subject.unreadable(error).into()),
    };
    let text = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
    let soul = subject.resolve(keeper, None, text);
    Ok((bytes, soul))
}

/// Whose soul a proposal is about.
fn subject_of(keeper: &Keeper, proposal: &Proposal) -> Result<Box<dyn Subject>, Error> {
    let elsewhere = || Error::Elsewhere(proposal.id.clone(), proposal.agent.clone());
    match proposal.kind {
        Kind::Agent => match keeper.agent_of(&proposal.key()) {
            Ok(agent) => Ok(Box::new(agent)),
            Err(souls::Error::AgentNotFound(_)) => Err(elsewhere()),
            Err(error) => Err(error.into()),
        },
        Kind::Library => {
            let id = proposal.agent.parse().map_err(|_| elsewhere())?;
            match Member::existing(keeper, id) {
                Ok(member) => Ok(Box::new(member)),
                Err(_) => Err(elsewhere()),
            }
        }
    }
}

/// What the deletion would take away.
pub(super) fn stand(keeper: &Keeper, proposal: Proposal, text: &ProposedText) -> Result<Standing, Error> {
    let before = String::from_utf8_lossy(text.base.as_deref().unwrap_or_default()).into_owned();
    let soul = match subject_of(keeper, &proposal) {
        Ok(subject) => {
            let file = subject.file();
            let bytes = text.base.as_deref();
            let text = bytes.map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
            subject.resolve(keeper, None, text).soul
        }
        // Without its directory, what a text means cannot be told.
        Err(_) => soul_core::model::Soul::default(),
    };
    let difference = Difference::new((&soul, &before), (&soul_core::model::Soul::default(), ""));
    Ok(Standing { proposal, difference, protected: Vec::new(), merged: false, conflicts: Vec::new() })
}

/// Deletes the soul, if it is still the one that was to be deleted.
pub(super) fn accept(
    keeper: &Keeper,
    proposal: &Proposal,
    message: Option<Message>,
    author: Author,
) -> Result<(Proposal, Applied), Error> {
    let subject = subject_of(keeper, proposal)?;
    let lock = authoring::lock(keeper, &*subject)?;
    let (bytes, _) = current(keeper, &*subject)?;
    if bytes.as_deref().map(RawDigest::of) != proposal.base_raw_digest {
        return Err(Error::Conflict(vec!["the whole text".to_owned()]));
    }
    let why = message.as_ref().map_or_else(|| proposal.reason.clone(), |message| Some(message.as_str().to_owned()));
    let change = Change {
        expected: proposal.base_raw_digest.map(|digest| ExpectedDigest::new(&digest.to_string())),
        message: why.and_then(|why| Message::try_from(why).ok()),
        is_accepted: true,
        ..Change::new(Intent::Delete, author.clone())
    };
    let applied = authoring::apply_locked(keeper, &*subject, &lock, change)?;
    let revision = Some(applied.revision.sealed.id.clone());
    let verdict = verdict(keeper, ProposalState::Accepted, message, revision, author);
    Ok((reviewed(keeper, &proposal.id, &verdict)?, applied))
}

/// Decides a proposal whose soul has been deleted or kept by other means.
pub(crate) fn settle(
    keeper: &Keeper,
    id: &ProposalId,
    accepted: bool,
    message: Option<Message>,
    author: &Author,
) -> Result<(), Error> {
    let (proposal, _) = found(keeper, id)?;
    let state = if accepted { ProposalState::Accepted } else { ProposalState::Rejected };
    let verdict = verdict(keeper, state, message, None, author.clone());
    reviewed(keeper, &proposal.id, &verdict).map(drop)
}

fn verdict(
    keeper: &Keeper,
    state: ProposalState,
    message: Option<Message>,
    revision: Option<crate::ids::RevisionId>,
    author: Author,
) -> Verdict {
    Verdict { state, message, revision, actor: author.actor, origin: author.origin, now: keeper.now() }
}
