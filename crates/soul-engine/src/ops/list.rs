//! List the agents.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;
use soul_core::model::Dialect;
use soul_core::prompt::Status;

use super::{Error, Hints, Load, Operation, inspect};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::freshness::Sources;
use crate::souls::{self, Loader, Target};
use crate::workspace::AgentName;

/// List every agent by name, with the dialect and the state of its soul.
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
        let mut agents = Vec::new();
        let names = keeper.roots.agent_names(&keeper.settings.discovery);
        let unlistable = |(path, error): (PathBuf, _)| souls::Error::Unlistable(keeper.roots.shown(&path), error);
        for name in names.map_err(unlistable)? {
            context.progress.check_awaited()?;
            let listed = name.as_str().to_owned();
            match Loader::new(keeper, None).target(&Target::Agent(name)) {
                Ok(soul) => agents.push(Agent {
                    name: listed,
                    dialect: soul.dialect(),
                    present: soul.is_present(),
                    valid: soul.is_valid(),
                    validation_status: soul.status,
                    digest: soul.digest,
                    source_path: soul.source_path,
                }),
                Err(souls::Error::AgentUnreadable(_, error)) if !error.is_of_machine() => agents.push(Agent {
                    source_path: listed.clone(),
                    name: listed,
                    dialect: None,
                    present: true,
                    valid: false,
                    validation_status: Status::Invalid,
                    digest: None,
                }),
                // Gone since it was listed.
                Err(souls::Error::AgentNotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Response { agents })
    }

    /// The folders that agents are in, and everything that a line of the list may depend on.
    fn sources(&self, keeper: &Keeper) -> Option<Sources> {
        let names = keeper.roots.agent_names(&keeper.settings.discovery).ok()?;
        if names.len() > WATCHED || names.iter().any(|name| inspect::has_folders(keeper, name)) {
            return None;
        }
        let folders_of =
            |name: &AgentName| keeper.agent_paths(name).into_iter().filter_map(|mut path| path.pop().then_some(path));
        // Where nobody is yet, somebody may come.
        let anybody = "agent".parse().ok();
        let folders: BTreeSet<PathBuf> = names.iter().chain(&anybody).flat_map(folders_of).collect();
        let mut sources = Sources { files: folders.into_iter().collect(), records: Vec::new() };
        for name in &names {
            let of_agent = inspect::agent_sources(keeper, name)?;
            sources.files.extend(of_agent.files);
            sources.records.extend(of_agent.records);
        }
        Some(sources)
    }
}

/// The most agents whose files are watched: looking at each is faster than reading it, and takes its time all the same.
const WATCHED: usize = 1000;
