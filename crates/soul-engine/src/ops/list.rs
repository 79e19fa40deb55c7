//! List the agents.

use std::collections::HashMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Diagnostic, Severity};
use soul_core::digest::Digest;
use soul_core::model::{Dialect, Field, Soul};
use soul_core::persona::Traits;
use soul_core::prompt::Status;
use soul_core::scan::Grade;
use soul_core::sigil::Parts;

use super::{Error, Hints, Load, Operation, history, status};
use crate::Keeper;
use crate::caller::Grant;
use crate::checks::{Graded, WorstFinding};
use crate::context::Context;
use crate::files::on_all_cores;
use crate::persona;
use crate::souls::{self, Loader, Target};
use crate::standing::{LastChange, LiveSessions, RecordState, Standing, live_sessions};
use crate::store::ProposalState;
use crate::workspace::{AgentName, SoulKey};

/// List every agent by name: its role and dialect, the state of its soul, the last change, and live sessions.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Also grade each agent's files, and say what its last change meant, what was edited outside, and its traits.
    #[serde(default)]
    pub summaries: bool,
}

/// Every agent, by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentList")]
pub struct Response {
    /// The agents.
    pub agents: Vec<Agent>,
}

/// An agent, and the state of its soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentSummary")]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Where its soul is, relative to the workspace or the home.
    pub source_path: String,
    /// Its role, or what it is described as, if its soul says so.
    pub role: Option<String>,
    /// The dialect of its soul; `null` if it has none, or it could not be read.
    pub dialect: Option<Dialect>,
    /// Whether it has a soul.
    pub present: bool,
    /// Whether that has no errors.
    pub valid: bool,
    /// Both, and whether souls are in use, in one word.
    pub validation_status: Status,
    /// The digest of what the soul says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// How the file stands to the record.
    pub record: RecordState,
    /// The last recorded change, if there is one.
    pub last_change: Option<LastChange>,
    /// How many sessions are live.
    pub sessions: usize,
    /// How many of them are bound to an older soul.
    pub sessions_behind: usize,
    /// `home`, or the id of the workspace; `null` before the first record of a workspace.
    #[serde(default)]
    pub scope: Option<String>,
    /// What the soul calls itself.
    #[serde(default)]
    pub display_name: Option<String>,
    /// How it sounds.
    #[serde(default)]
    pub tone: Vec<String>,
    /// The digest of each part of the soul: what its sigil is drawn from; `null` if there is nothing to read.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// The colour of its sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// How many problems its soul has.
    #[serde(default)]
    pub problems: ProblemCounts,
    /// The first of its errors, if it has any.
    #[serde(default)]
    pub first_problem: Option<String>,
    /// How many proposed changes wait for a person.
    #[serde(default)]
    pub proposals: usize,
    /// What takes a closer look, if the request asks for it.
    #[serde(flatten)]
    pub summary: Option<Summary>,
}

/// How many problems a soul has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ProblemCounts {
    /// Errors, which make it invalid.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
}

impl ProblemCounts {
    fn of(diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        Self { errors: count(Severity::Error), warnings: count(Severity::Warning) }
    }
}

/// What is known of an agent after a closer look.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentCloserLook")]
pub struct Summary {
    /// The grade of its files, from `A+` to `F`; `null` where nothing could be scanned.
    pub grade: Option<Grade>,
    /// How many findings the gate refuses.
    pub findings: usize,
    /// The first of them.
    pub worst_finding: Option<WorstFinding>,
    /// Its traits, if its soul has any.
    pub traits: Option<TraitScores>,
    /// What was edited outside since the last record, in a line of meaning.
    pub unrecorded_change: Option<String>,
}

/// The traits of an agent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TraitScores {
    /// The scores that the author wrote.
    pub baseline: Traits,
    /// The scores that apply now.
    pub effective: Traits,
}

impl Operation for Request {
    const NAME: &'static str = "list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Slow
    }

    /// An agent that cannot be read is listed as invalid.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        keeper.check_home()?;
        let live = live_sessions(keeper, None)?;
        let waiting = waiting_proposals(keeper)?;
        let listed = on_all_cores(&names(keeper)?, |name| {
            context.progress.check_awaited()?;
            let Some(Listed { mut agent, soul, .. }) = agent(keeper, name, &live)? else { return Ok(None) };
            let key = agent.scope.clone().map(|scope| (scope, agent.name.clone()));
            agent.proposals = key.and_then(|key| waiting.get(&key).copied()).unwrap_or_default();
            if self.summaries {
                summarize(keeper, name, &mut agent, soul.as_ref())?;
            }
            Ok(Some(agent))
        });
        let agents = listed.into_iter().filter_map(Result::transpose).collect::<Result<_, Error>>()?;
        Ok(Response { agents })
    }
}

/// How many proposals are read at once.
const PAGE: usize = 500;

/// How many proposals wait for a person, by scope and agent.
fn waiting_proposals(keeper: &Keeper) -> Result<HashMap<(String, String), usize>, Error> {
    let mut waiting = HashMap::new();
    let Some(store) = keeper.existing_store()? else { return Ok(waiting) };
    let mut before = None;
    loop {
        let page = store.proposals(None, Some(ProposalState::Pending), before.as_ref(), PAGE)?;
        for proposal in &page {
            let key = proposal.key();
            *waiting.entry((key.scope, key.name)).or_default() += 1;
        }
        before = page.last().map(|proposal| proposal.id.clone());
        // A page may end early because it is large; the last one is empty.
        if before.is_none() {
            return Ok(waiting);
        }
    }
}

/// Takes a closer look at an agent.
fn summarize(keeper: &Keeper, name: &AgentName, listed: &mut Agent, soul: Option<&Soul>) -> Result<(), Error> {
    let Ok(agent) = keeper.agent(name) else { return Ok(()) };
    let graded = Graded::of(keeper, &Target::Agent(name.clone()))?;
    let traits = match soul.map(Traits::from_soul).filter(|baseline| !baseline.is_empty()) {
        Some(baseline) => {
            let effective = persona::effective(keeper, &agent, soul.unwrap_or(&Soul::default()))?;
            Some(TraitScores { baseline, effective: effective.map_or(baseline, |persona| persona.traits) })
        }
        None => None,
    };
    let unrecorded_change = match listed.record {
        RecordState::Changed | RecordState::Missing => status::unrecorded_change(keeper, &agent)?,
        _ => None,
    };
    if let Some(last) = &mut listed.last_change {
        last.summary = history::last_meaning(keeper, &agent, &last.revision_id)?;
    }
    let Graded { grade, refused: findings, worst: worst_finding } = graded;
    listed.summary = Some(Summary { grade, findings, worst_finding, traits, unrecorded_change });
    Ok(())
}

/// The names of all agents.
pub(super) fn names(keeper: &Keeper) -> Result<Vec<AgentName>, Error> {
    let unlistable = |(path, error): (PathBuf, _)| souls::Error::Unlistable(keeper.roots.shown(&path), error);
    Ok(keeper.roots.agent_names(&keeper.settings.discovery).map_err(unlistable)?)
}

/// An agent as it is listed, with what else is known by then.
pub(super) struct Listed {
    pub(super) agent: Agent,
    pub(super) live: LiveSessions,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What the soul says, if it could be read.
    pub(super) soul: Option<Soul>,
}

fn first_error(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.next().map(|error| error.message.clone())
}

/// How an agent stands; `None` if it is gone since it was listed.
pub(super) fn agent(
    keeper: &Keeper,
    name: &AgentName,
    live: &HashMap<SoulKey, LiveSessions>,
) -> Result<Option<Listed>, Error> {
    let unreadable = |problem: Option<Diagnostic>| Listed {
        agent: Agent {
            name: name.to_string(),
            source_path: name.to_string(),
            role: None,
            dialect: None,
            present: true,
            valid: false,
            validation_status: Status::Invalid,
            digest: None,
            record: RecordState::Unrecorded,
            last_change: None,
            sessions: 0,
            sessions_behind: 0,
            scope: None,
            display_name: None,
            tone: Vec::new(),
            parts: None,
            hue: 0,
            problems: ProblemCounts { errors: 1, warnings: 0 },
            first_problem: problem.as_ref().map(|problem| problem.message.clone()),
            proposals: 0,
            summary: None,
        },
        live: LiveSessions::default(),
        diagnostics: problem.into_iter().collect(),
        soul: None,
    };
    let soul = match Loader::new(keeper, None).target(&Target::Agent(name.clone())) {
        Ok(soul) => soul,
        Err(souls::Error::AgentUnreadable(_, error)) if !error.is_of_machine() => {
            let problem = Diagnostic::new(Code::ParserIo, format!("the agent could not be read: {error}"));
            return Ok(Some(unreadable(Some(problem))));
        }
        Err(souls::Error::AgentNotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let (standing, hue) = match keeper.agent(name) {
        Ok(agent) => (Standing::of(keeper, &agent)?, agent.hue()),
        Err(souls::Error::AgentNotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let live = standing.key.as_ref().and_then(|key| live.get(key)).cloned().unwrap_or_default();
    let said = |field| soul.soul.texts(field).next().map(str::trim).filter(|text| !text.is_empty());
    let agent = Agent {
        name: name.to_string(),
        role: said(Field::Role).or_else(|| said(Field::Description)).map(str::to_owned),
        dialect: soul.dialect(),
        present: soul.is_present(),
        valid: soul.is_valid(),
        validation_status: soul.status,
        digest: soul.digest,
        record: standing.record,
        last_change: standing.last_change(),
        sessions: live.count,
        sessions_behind: live.behind.len(),
        source_path: soul.source_path,
        scope: standing.key.map(|key| key.scope),
        display_name: said(Field::Name).map(str::to_owned),
        tone: soul.soul.texts(Field::Tone).map(str::to_owned).collect(),
        parts: soul.document.is_some().then(|| Parts::of(&soul.soul)),
        hue,
        problems: ProblemCounts::of(&soul.diagnostics),
        first_problem: first_error(&soul.diagnostics),
        proposals: 0,
        summary: None,
    };
    let read = soul.document.map(|_| soul.soul);
    Ok(Some(Listed { agent, live, diagnostics: soul.diagnostics, soul: read }))
}
