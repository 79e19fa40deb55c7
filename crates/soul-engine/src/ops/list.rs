//! List the agents.

use std::collections::HashMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::digest::Digest;
use soul_core::model::{Dialect, Field};
use soul_core::prompt::Status;

use super::{Error, Hints, Load, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::souls::{self, Loader, Target};
use crate::standing::{LastChange, LiveSessions, RecordState, Standing, live_sessions};
use crate::workspace::{AgentName, SoulKey};

/// List every agent by name: its role and dialect, the state of its soul, the last change, and live sessions.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

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
        let mut agents = Vec::new();
        for name in names(keeper)? {
            context.progress.check_awaited()?;
            agents.extend(agent(keeper, &name, &live)?.map(|listed| listed.agent));
        }
        Ok(Response { agents })
    }
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
        },
        live: LiveSessions::default(),
        diagnostics: problem.into_iter().collect(),
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
    let standing = match keeper.agent(name) {
        Ok(agent) => Standing::of(keeper, &agent)?,
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
    };
    Ok(Some(Listed { agent, live, diagnostics: soul.diagnostics }))
}
