//! Show how agents stand, and what to do about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::prompt::Status as Validity;
use soul_core::scan::Finding;

use super::{Error, Hints, Load, Operation, history, list, scan};
use crate::Keeper;
use crate::authoring;
use crate::caller::Grant;
use crate::context::Context;
use crate::ids::SessionId;
use crate::souls::{Loader, Text};
use crate::standing::{LiveSessions, RecordState, Standing, live_sessions};
use crate::workspace::{Agent, AgentName};

/// Show how an agent stands: its file to the record, its sessions to the file, what is wrong with it, and what to do
/// next. Without an agent: every agent.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent. Default: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
}

/// The agents, by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StatusReport")]
pub struct Response {
    /// How each stands.
    pub agents: Vec<AgentStatus>,
}

/// How an agent stands.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AgentStatus {
    /// The agent, as `list` has it.
    #[serde(flatten)]
    pub agent: list::Agent,
    /// What changed outside of the record, in a line of meaning; `null` if the file is as it was recorded.
    pub unrecorded_change: Option<String>,
    /// The errors and warnings of its soul.
    pub diagnostics: Vec<Diagnostic>,
    /// What the scanner found in its files.
    pub findings: Vec<Finding>,
    /// The live sessions that are bound to an older soul.
    pub behind: Vec<SessionId>,
    /// What to do next, the most urgent first.
    pub next: Vec<NextStep>,
}

/// A command that helps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NextStep {
    /// The command line.
    pub command: String,
    /// What it does.
    pub purpose: String,
}

impl Operation for Request {
    const NAME: &'static str = "status";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Slow
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        keeper.check_home()?;
        let names = match self.agent {
            Some(name) => vec![keeper.agent(&name)?.name],
            None => list::names(keeper)?,
        };
        let only = match &names[..] {
            [name] => Some(name.as_str()),
            _ => None,
        };
        let live = live_sessions(keeper, only)?;
        let mut agents = Vec::new();
        for name in names {
            context.progress.check_awaited()?;
            if let Some(listed) = list::agent(keeper, &name, &live)? {
                agents.push(status(context, &name, listed)?);
            }
            context.progress.advance("agents checked", 1, None);
        }
        Ok(Response { agents })
    }
}

fn status(context: &Context<'_>, name: &AgentName, listed: list::Listed) -> Result<AgentStatus, Error> {
    let list::Listed { agent, live, diagnostics, .. } = listed;
    let shown = |diagnostic: &Diagnostic| diagnostic.severity != Severity::Info;
    let diagnostics: Vec<_> = diagnostics.into_iter().filter(shown).collect();
    let unrecorded_change = match agent.record {
        RecordState::Changed | RecordState::Missing => unrecorded_change(context.keeper, &context.keeper.agent(name)?)?,
        _ => None,
    };
    let scanned = scan::Request { agent: Some(name.clone()), ..scan::Request::default() }.run(context)?;
    let findings: Vec<_> = scanned.targets.into_iter().flat_map(|target| target.findings).collect();
    let next = next(&agent, &live, &diagnostics, &findings);
    Ok(AgentStatus { agent, unrecorded_change, diagnostics, findings, behind: live.behind, next })
}

/// What someone did to the file since it was last recorded, in a line.
pub(super) fn unrecorded_change(keeper: &Keeper, agent: &Agent) -> Result<Option<String>, Error> {
    let Standing { key, record, last } = Standing::of(keeper, agent)?;
    match record {
        RecordState::Unrecorded | RecordState::Recorded | RecordState::Unreadable => return Ok(None),
        RecordState::Missing => return Ok(Some("removed".to_owned())),
        RecordState::Changed => {}
    }
    let recorded = match (keeper.existing_store()?, key, last) {
        (Some(store), Some(key), Some(last)) => store.revision(&key, &last.sealed.id)?,
        _ => None,
    };
    let before =
        recorded.map(|last| authoring::recorded_soul(keeper, agent, last.body.as_deref(), last.sealed.dialect).soul);
    let now = Loader::chosen(keeper, keeper.chosen_dialect(agent)?).agent(agent, Text::OnDisk);
    Ok(Some(history::meaning(&before.unwrap_or_default(), &now.soul)))
}

fn next(agent: &list::Agent, live: &LiveSessions, diagnostics: &[Diagnostic], findings: &[Finding]) -> Vec<NextStep> {
    let name = &agent.name;
    let mut next = Vec::new();
    let mut step = |command: String, purpose: &str| next.push(NextStep { command, purpose: purpose.to_owned() });
    let is_invalid = agent.validation_status == Validity::Invalid;
    if is_invalid && diagnostics.iter().any(|diagnostic| diagnostic.fix.is_some()) {
        step(format!("soul check {name} --fix"), "fix what can be fixed automatically");
    }
    if is_invalid && agent.record != RecordState::Unreadable {
        step(format!("soul edit {name}"), "correct the soul: it is invalid");
    }
    if findings.iter().any(Finding::is_confident_error) {
        step(format!("soul check {name}"), "see what the scanner found, before anything uses this soul");
    }
    match agent.record {
        RecordState::Changed => {
            step(format!("soul diff {name}"), "see what was changed outside");
            // What would be refused is not suggested.
            if !is_invalid && !findings.iter().any(Finding::is_confident_error) {
                step(format!("soul record {name}"), "record it as your change");
            }
            step(format!("soul undo {name}"), "restore the recorded text");
        }
        RecordState::Missing => step(format!("soul undo {name}"), "restore the soul"),
        RecordState::Unrecorded if agent.present && !is_invalid => {
            step(format!("soul record {name}"), "record the soul");
        }
        RecordState::Unrecorded | RecordState::Recorded | RecordState::Unreadable => {}
    }
    if agent.validation_status == Validity::Missing && agent.record == RecordState::Unrecorded {
        step(format!("soul new {name}"), "give it a soul");
    }
    if let Some(session) = live.behind.first() {
        step(format!("soul session refresh {session}"), "let the session use the current soul");
    }
    next
}
