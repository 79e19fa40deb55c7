//! Showing, accepting and rejecting a proposal.

use soul_core::digest::RawDigest;
use soul_core::merge::merge;

use super::deletion::{self, settle};
use super::{Conflict, Current, Difference, Error, Standing, current, found, policy, resolve, shown};
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Intent, Lock, scanned};
use crate::caller::{Author, Caller};
use crate::fields::{ExpectedDigest, NonBlank};
use crate::ids::ProposalId;
use crate::souls;
use crate::store::{Message, Party, Proposal, ProposalState, ProposedText, Reviewed, Verdict};
use crate::workspace::{Agent, SoulKey};

/// A proposal that was accepted, and the change that it became.
pub(crate) struct Accepted {
    pub(crate) proposal: Proposal,
    pub(crate) applied: Applied,
    pub(crate) standing: Standing,
}

/// What becomes of the soul if the proposal is accepted now.
enum Outcome {
    /// This text. `merged` if the soul has changed since.
    Text { bytes: Vec<u8>, merged: bool },
    /// It cannot be decided.
    Conflict(Vec<Conflict>),
}

fn outcome(text: &ProposedText, now: Option<&[u8]>) -> Outcome {
    if now == text.base.as_deref() || now == Some(&text.body) {
        return Outcome::Text { bytes: text.body.clone(), merged: false };
    }
    let texts = [text.base.as_deref().unwrap_or_default(), now.unwrap_or_default(), &text.body];
    let [Ok(base), Ok(ours), Ok(theirs)] = texts.map(std::str::from_utf8) else {
        return Outcome::Conflict(vec![Conflict {
            place: "the whole text".to_owned(),
            base: String::new(),
            current: String::new(),
            proposed: String::new(),
        }]);
    };
    let merged = merge(base, ours, theirs);
    match merged.text() {
        Some(text) => Outcome::Text { bytes: text.into_bytes(), merged: true },
        None => Outcome::Conflict(
            merged
                .conflicts()
                .map(|conflict| Conflict {
                    place: conflict.place.to_string(),
                    base: conflict.base.clone(),
                    current: conflict.ours.clone(),
                    proposed: conflict.theirs.clone(),
                })
                .collect(),
        ),
    }
}

/// A proposal as it stands: against the current soul while it is pending, else against what it was made from.
pub(crate) fn show(keeper: &Keeper, id: &ProposalId) -> Result<Standing, Error> {
    let (proposal, text) = found(keeper, id)?;
    if proposal.is_deletion() {
        return deletion::stand(keeper, proposal, &text);
    }
    match agent_of(keeper, &proposal) {
        Ok(agent) if proposal.state == ProposalState::Pending => {
            let current = current(keeper, &agent)?;
            Ok(stand(keeper, &agent, proposal, &text, &current)?.0)
        }
        Ok(agent) => past(keeper, Some(&agent), proposal, &text),
        Err(Error::Elsewhere(..)) => past(keeper, None, proposal, &text),
        Err(error) => Err(error),
    }
}

fn past(keeper: &Keeper, agent: Option<&Agent>, proposal: Proposal, text: &ProposedText) -> Result<Standing, Error> {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (before, after) = (text.base.as_deref().map(lossy).unwrap_or_default(), lossy(&text.body));
    let soul = |bytes: Option<&[u8]>| match agent {
        Some(agent) => resolve(keeper, agent, bytes).map(|resolved| resolved.soul),
        // Without its directory, what a text means cannot be told.
        None => Ok(Default::default()),
    };
    let (base, body) = (soul(text.base.as_deref())?, soul(Some(&text.body))?);
    let difference = Difference::new((&base, &before), (&body, &after));
    let protected = policy::protected(&keeper.settings.self_edit, &difference.changes, &before, &after);
    Ok(Standing { proposal, difference, protected, merged: false, conflicts: Vec::new() })
}

/// How a pending proposal stands against the current soul, and the text that it would make of it.
fn stand(
    keeper: &Keeper,
    agent: &Agent,
    proposal: Proposal,
    text: &ProposedText,
    current: &Current,
) -> Result<(Standing, Option<Vec<u8>>), Error> {
    let (bytes, merged, conflicts) = match outcome(text, current.bytes.as_deref()) {
        Outcome::Text { bytes, merged } => (Some(bytes), merged, Vec::new()),
        Outcome::Conflict(conflicts) => (None, false, conflicts),
    };
    // What conflicts is shown as it was proposed.
    let new = bytes.as_deref().unwrap_or(&text.body);
    let soul = resolve(keeper, agent, Some(new))?.soul;
    let (before, after) = (current.text(), String::from_utf8_lossy(new).into_owned());
    let difference = Difference::new((&current.soul.soul, &before), (&soul, &after));
    let protected = policy::protected(&keeper.settings.self_edit, &difference.changes, &before, &after);
    Ok((Standing { proposal, difference, protected, merged, conflicts }, bytes))
}

/// The agent that a proposal is for: not another one of the same name.
fn agent_of(keeper: &Keeper, proposal: &Proposal) -> Result<Agent, Error> {
    let key: SoulKey = proposal.key();
    keeper.agent_of(&key).map_err(|error| match error {
        souls::Error::AgentNotFound(_) => Error::Elsewhere(proposal.id.clone(), proposal.agent.clone()),
        error => error.into(),
    })
}

fn check_person(caller: &Caller, author: &Author) -> Result<(), Error> {
    if caller.is_person() { Ok(()) } else { Err(Error::NotAPerson(shown(&author.actor))) }
}

fn check_pending(proposal: &Proposal) -> Result<(), Error> {
    match proposal.state {
        ProposalState::Pending => Ok(()),
        state => Err(Error::Reviewed(proposal.id.clone(), state)),
    }
}

/// Accepts a proposal in the name of a person.
pub(crate) fn accept(
    keeper: &Keeper,
    id: &ProposalId,
    message: Option<Message>,
    caller: &Caller,
    author: Author,
) -> Result<Accepted, Error> {
    check_person(caller, &author)?;
    let (proposal, text) = found(keeper, id)?;
    check_pending(&proposal)?;
    if proposal.is_deletion() {
        let standing = deletion::stand(keeper, proposal.clone(), &text)?;
        let (proposal, applied) = deletion::accept(keeper, &proposal, message, author)?;
        return Ok(Accepted { proposal, applied, standing });
    }
    let agent = agent_of(keeper, &proposal)?;
    let lock = authoring::lock(keeper, &agent)?;
    let reviewer = author.actor.clone();
    accept_locked(keeper, &agent, &lock, &proposal.id, message, author, reviewer)
}

/// Accepts a proposal that only adds what the settings allow; none if the soul has changed meanwhile.
pub(super) fn accept_at_once(keeper: &Keeper, proposal: &Proposal, author: &Author) -> Result<Option<Accepted>, Error> {
    let agent = agent_of(keeper, proposal)?;
    let lock = authoring::lock(keeper, &agent)?;
    if current(keeper, &agent)?.bytes.as_deref().map(RawDigest::of) != proposal.base_raw_digest {
        return Ok(None);
    }
    let policy = Party::new("system", "self_edit = additive");
    accept_locked(keeper, &agent, &lock, &proposal.id, None, author.clone(), policy).map(Some)
}

fn accept_locked(
    keeper: &Keeper,
    agent: &Agent,
    lock: &Lock,
    id: &ProposalId,
    message: Option<Message>,
    author: Author,
    reviewer: Party,
) -> Result<Accepted, Error> {
    // Others may have decided while we waited for the lock.
    let (proposal, text) = found(keeper, id)?;
    check_pending(&proposal)?;
    let current = current(keeper, agent)?;
    let (standing, bytes) = stand(keeper, agent, proposal, &text, &current)?;
    let Some(bytes) = bytes else {
        return Err(Error::Conflict(standing.conflicts.into_iter().map(|conflict| conflict.place).collect()));
    };
    let report = scanned(&current.soul.source_path, &bytes);
    let is_poisoned = !report.passed();
    if is_poisoned && message.is_none() {
        return Err(Error::Poisoned(id.clone(), Box::new(report)));
    }
    let force = message.as_ref().filter(|_| is_poisoned).map(|message| message.as_str().to_owned());
    let origin = author.origin.clone();
    let change = Change {
        expected: current.bytes.as_deref().map(|bytes| ExpectedDigest::new(&RawDigest::of(bytes).to_string())),
        message: recorded_message(&standing.proposal, message.as_ref()),
        force: force.and_then(|reason| NonBlank::try_from(reason).ok()),
        is_accepted: true,
        ..Change::new(Intent::Put(bytes), author)
    };
    let applied = authoring::apply_locked(keeper, agent, lock, change)?;
    let verdict = Verdict {
        state: ProposalState::Accepted,
        message,
        revision: Some(applied.revision.sealed.id.clone()),
        actor: reviewer,
        origin,
        now: keeper.now(),
    };
    let proposal = reviewed(keeper, id, &verdict)?;
    Ok(Accepted { proposal, applied, standing })
}

/// Rejects a proposal.
pub(crate) fn reject(
    keeper: &Keeper,
    id: &ProposalId,
    reason: Message,
    caller: &Caller,
    author: Author,
) -> Result<Standing, Error> {
    check_person(caller, &author)?;
    let (proposal, text) = found(keeper, id)?;
    check_pending(&proposal)?;
    if proposal.is_deletion() {
        settle(keeper, &proposal.id, false, Some(reason), &author)?;
        return deletion::stand(keeper, found(keeper, &proposal.id)?.0, &text);
    }
    let agent = match agent_of(keeper, &proposal) {
        Ok(agent) => Some(agent),
        // What cannot be accepted can be rejected all the same.
        Err(Error::Elsewhere(..)) => None,
        Err(error) => return Err(error),
    };
    // Nobody accepts it in between.
    let _lock = agent.as_ref().map(|agent| authoring::lock(keeper, agent)).transpose()?;
    let verdict = Verdict {
        state: ProposalState::Rejected,
        message: Some(reason),
        revision: None,
        actor: author.actor,
        origin: author.origin,
        now: keeper.now(),
    };
    let proposal = reviewed(keeper, &proposal.id, &verdict)?;
    past(keeper, agent.as_ref(), proposal, &text)
}

pub(super) fn reviewed(keeper: &Keeper, id: &ProposalId, verdict: &Verdict) -> Result<Proposal, Error> {
    match keeper.store()?.review_proposal(id, verdict)? {
        Reviewed::Done(proposal) => Ok(*proposal),
        Reviewed::Already(proposal) => Err(Error::Reviewed(id.clone(), proposal.state)),
        Reviewed::Missing => Err(Error::NotFound(id.clone())),
    }
}

/// What the revision says: why, and which proposal it was, by whom.
fn recorded_message(proposal: &Proposal, message: Option<&Message>) -> Option<Message> {
    let by = format!(" ({} by {})", proposal.id, shown(&proposal.proposer));
    let why = message.map(Message::as_str).or(proposal.reason.as_deref()).unwrap_or(&proposal.summary).trim();
    let room = Message::MAX.saturating_sub(by.len());
    let why = &why[..why.floor_char_boundary(room)];
    Message::try_from(format!("{why}{by}")).ok()
}
