//! `soul memory`: one file a command.

mod add;
mod detail;
mod forget;
mod init;
mod pull;
mod push;
mod search;
mod status;

use std::path::PathBuf;

use soul_core::text::visible;
use soul_engine::memory::{Memories, MemoryOf};
use soul_engine::workspace::AgentName;

use super::{Row, input};

pub(super) const ABOUT: &str = "Search, show, edit and sync an agent's memory

A memory is `MEMORY.md` and the Markdown files below `memory/`.";

pub(super) const EXAMPLES: &str = "Examples:
  soul memory search staging port --agent ada          find what ada remembers
  soul memory add --agent ada 'Staging: port 8081'     remember something
  soul memory status --agent ada                       the files and their sizes
  soul memory push --agent ada                         send it to its git remote";

pub(super) const COMMANDS: &[Row] = &[
    command!(search),
    command!(detail),
    command!(status),
    command!(add),
    command!(forget),
    command!(init),
    command!(push),
    command!(pull),
];

/// Which memory a command is about.
#[derive(clap::Args)]
struct Place {
    /// The directory that contains `MEMORY.md` and `memory/`; defaults to the current directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The agent whose memory it is
    #[arg(long, value_name = "NAME", conflicts_with = "dir")]
    agent: Option<AgentName>,
}

impl Place {
    fn memory(&self) -> MemoryOf {
        let directory = || MemoryOf::Directory(self.dir.clone().unwrap_or_else(|| ".".into()));
        self.agent.clone().map_or_else(directory, MemoryOf::Agent)
    }

    fn memories(&self, all_agents: bool) -> Memories {
        if all_agents { Memories::AllAgents } else { Memories::Of(self.memory()) }
    }

    /// What to say if there is none, and what to do about it.
    fn absent(&self, all_agents: bool) -> (String, String) {
        let elsewhere = "`--agent NAME` searches an agent's memory, `--all-agents` every agent's".to_owned();
        match (&self.agent, &self.dir) {
            _ if all_agents => {
                ("no agent has a memory yet".to_owned(), "`soul memory add TEXT --agent NAME` starts one".to_owned())
            }
            (Some(agent), _) => {
                let agent = visible(agent.as_str());
                let absent = format!("`{agent}` has no memory yet: no MEMORY.md and no memory/");
                (absent, format!("`soul memory add TEXT --agent {agent}` starts one"))
            }
            (None, Some(dir)) => {
                let dir = visible(&dir.to_string_lossy());
                (format!("there is no memory in `{dir}`: no MEMORY.md and no memory/"), elsewhere)
            }
            (None, None) => ("there is no memory here: no MEMORY.md and no memory/".to_owned(), elsewhere),
        }
    }
}

/// Which section of a file.
#[derive(clap::Args)]
struct Section {
    /// The section that this line belongs to
    #[arg(long, value_name = "N", value_parser = input::whole::<usize>)]
    line: Option<usize>,
    /// The section with this heading
    #[arg(long, value_name = "HEADING", conflicts_with = "line")]
    section: Option<String>,
}
