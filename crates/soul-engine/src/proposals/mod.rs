//! Proposed changes of souls: an agent does not write its own soul, it proposes, and a person decides.
//!
//! A proposal is validated and scanned when it is made, and again when it is accepted: by then the soul may have
//! changed, and both changes are merged. Accepting goes through [`crate::authoring`] like every other change.

mod deletion;
mod error;
mod policy;
mod review;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::edits::{SectionEdit, edited};
use soul_core::model::{Change, Soul, changes, summary};
use soul_core::text::{DiffBudget, unified_diff};

pub(crate) use deletion::{propose_deletion, settle};
pub use error::Error;
pub(crate) use review::{Accepted, accept, reject, show};

use crate::Keeper;
use crate::authoring::{self, Subject, scanned};
use crate::caller::Author;
use crate::fields::NonBlank;
use crate::files;
use crate::ids::{ProposalId, SessionId};
use crate::references;
use crate::settings::SelfEdit;
use crate::souls::{self, Loader, Resolved, Text};
use crate::store::{NewProposal, Party, Proposal, Proposed, ProposedText, Store};
use crate::workspace::{Agent, AgentName};

/// The most proposals of one soul that may be pending: an agent in a loop must not fill the store.
const MOST_PENDING: usize = 50;

/// The largest text.
const MAX_TEXT: usize = 1 << 20;

/// What is proposed.
pub(crate) enum Wanted {
    /// The whole text.
    Text(Vec<u8>),
    /// Edits of sections.
    Edits(Vec<SectionEdit>),
}

/// Why it is proposed.
#[derive(Default)]
pub(crate) struct Grounds {
    pub(crate) reason: Option<NonBlank>,
    pub(crate) evidence: Option<NonBlank<16384>>,
    pub(crate) session: Option<NonBlank<256>>,
}

/// What a proposal would change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProposalDiff")]
pub struct Difference {
    /// What would change in meaning; limits first, and of those the removed ones.
    pub changes: Vec<Change>,
    /// What would change line by line, as a unified diff.
    pub text: String,
}

impl Difference {
    fn new(before: (&Soul, &str), after: (&Soul, &str)) -> Self {
        Self {
            changes: changes(before.0, after.0),
            text: unified_diff(before.1, after.1, &mut DiffBudget::ONE.clone()),
        }
    }
}

/// A proposal as it stands now.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) proposal: Proposal,
    pub(crate) difference: Difference,
    /// The protected names that it touches.
    pub(crate) protected: Vec<String>,
    /// Whether the soul has changed since, and both changes were merged.
    pub(crate) merged: bool,
    /// Where they could not be.
    pub(crate) conflicts: Vec<Conflict>,
}

/// A passage that the proposal and another change both touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProposalConflict")]
pub struct Conflict {
    /// The section or field.
    pub place: String,
    /// What it was when the change was proposed.
    pub base: String,
    /// What it is now.
    pub current: String,
    /// What is proposed.
    pub proposed: String,
}

/// A proposal that was made.
pub(crate) struct Made {
    pub(crate) standing: Standing,
    /// Whether the same one was pending already.
    pub(crate) repeated: bool,
    /// The change, if it was accepted at once.
    pub(crate) accepted: Option<authoring::Applied>,
}

/// A soul as it is in its file.
struct Current {
    bytes: Option<Vec<u8>>,
    soul: Resolved,
}

impl Current {
    fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes.as_deref().unwrap_or_default()).into_owned()
    }
}

fn current(keeper: &Keeper, agent: &Agent) -> Result<Current, Error> {
    let file = agent.soul_file();
    let bytes = match agent.directory.read(&file) {
        Ok(bytes) => Some(bytes),
        Err(files::Error::NotFound) => None,
        Err(error) => {
            let shown = keeper.roots.shown(&agent.path.join(file));
            return Err(souls::Error::Layer(shown, error.into()).into());
        }
    };
    let soul = resolve(keeper, agent, bytes.as_deref())?;
    Ok(Current { bytes, soul })
}

/// What a text means in the place of an agent's soul.
fn resolve(keeper: &Keeper, agent: &Agent, bytes: Option<&[u8]>) -> Result<Resolved, Error> {
    let chosen = keeper.chosen_dialect(agent)?;
    let file = bytes.map(|bytes| Agent::file_for(agent, bytes, chosen.map(|chosen| chosen.dialect)));
    let text = bytes.zip(file.as_deref()).map_or(Text::Absent, |(bytes, file)| Text::Proposed { file, bytes });
    Ok(Loader::chosen(keeper, chosen).agent(agent, text))
}

/// Keeps a proposed change of an agent's soul.
pub(crate) fn propose(
    keeper: &Keeper,
    name: &AgentName,
    wanted: Wanted,
    grounds: Grounds,
    author: &Author,
) -> Result<Made, Error> {
    let is_own = authoring::check_not_own(keeper, &authoring::Owner::Agent(name.clone()), &author.actor).is_err();
    let settings = &keeper.settings.self_edit;
    if is_own && settings.self_edit == SelfEdit::Refuse {
        return Err(Error::Refused(name.as_str().to_owned()));
    }
    let agent = keeper.agent(name)?;
    agent.check_writable()?;
    let current = current(keeper, &agent)?;
    let body = match wanted {
        Wanted::Text(bytes) => bytes,
        Wanted::Edits(edits) => {
            let text = std::str::from_utf8(current.bytes.as_deref().unwrap_or_default());
            edited(text.map_err(|_| Error::NotText(name.as_str().to_owned()))?, &edits)?.into_bytes()
        }
    };
    if body.len() > MAX_TEXT {
        return Err(authoring::Error::TooLargeToKeep.into());
    }
    let soul = resolve(keeper, &agent, Some(&body))?.valid()?;
    if current.bytes.as_deref() == Some(&body) {
        return Err(Error::Unchanged);
    }
    let report = scanned(&soul.source_path, &body);
    let (before, after) = (current.text(), String::from_utf8_lossy(&body).into_owned());
    let difference = Difference::new((&current.soul.soul, &before), (&soul.soul, &after));
    let summary = match summary(&difference.changes) {
        nothing if nothing.is_empty() => "changed the layout".to_owned(),
        summary => summary,
    };
    let store = keeper.store()?;
    let new = NewProposal {
        key: agent.key().map_err(souls::Error::WorkspaceId)?,
        base_digest: current.soul.digest,
        new_digest: soul.digest,
        text: ProposedText { base: current.bytes.clone(), body },
        dialect: soul.dialect(),
        summary,
        reason: grounds.reason.map(NonBlank::into_string),
        evidence: grounds.evidence.map(NonBlank::into_string),
        session: grounds.session.map(|session| named_session(store, session)).transpose()?,
        poisoned: !report.passed(),
        findings: report.findings,
        diagnostics: soul.diagnostics,
        actor: author.actor.clone(),
        origin: author.origin.clone(),
        most: MOST_PENDING,
        now: keeper.now(),
    };
    let (proposal, repeated) = match store.propose(&new)? {
        Proposed::Kept(proposal) => (*proposal, false),
        Proposed::Same(proposal) => (*proposal, true),
        Proposed::Full => {
            return Err(Error::TooMany { agent: name.as_str().to_owned(), most: MOST_PENDING });
        }
    };
    let protected = policy::protected(settings, &difference.changes, &before, &after);
    let is_additive = is_own
        && settings.self_edit == SelfEdit::Additive
        && !proposal.poisoned
        && protected.is_empty()
        && policy::is_additive(&difference.changes, &before, &after);
    let mut standing = Standing { proposal, difference, protected, merged: false, conflicts: Vec::new() };
    let mut accepted = None;
    if is_additive && let Some(done) = review::accept_at_once(keeper, &standing.proposal, author)? {
        (standing.proposal, accepted) = (done.proposal, Some(done.applied));
    }
    Ok(Made { standing, repeated, accepted })
}

/// The session that a proposal names: by its id or the beginning of it, or by whatever the caller calls it.
fn named_session(store: &dyn Store, session: NonBlank<256>) -> Result<String, Error> {
    let typed = session.into_string();
    if !typed.starts_with("sess_") {
        return Ok(typed);
    }
    let found = references::session(store, &SessionId::from(typed.clone()))??;
    Ok(found.map_or(typed, |id| id.as_str().to_owned()))
}

/// The proposal that a caller means, with its texts.
fn found(keeper: &Keeper, id: &ProposalId) -> Result<(Proposal, ProposedText), Error> {
    let missing = || Error::NotFound(id.clone());
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let id = references::proposal(store, id)??.ok_or_else(missing)?;
    store.proposal(&id)?.ok_or_else(missing)
}

/// How a party is shown.
fn shown(party: &Party) -> String {
    format!("{}:{}", party.kind, party.name)
}
