//! `soul memory`: one file a command.

mod add;
mod detail;
mod forget;
mod search;
mod status;

use std::path::PathBuf;

use soul_engine::memory::MemoryOf;
use soul_engine::workspace::AgentName;

use super::Row;

pub(super) const ABOUT: &str = "Search, show and edit an agent's memory

A memory is `MEMORY.md` and the Markdown files below `memory/`.";

pub(super) const COMMANDS: &[Row] =
    &[command!(search), command!(detail), command!(status), command!(add), command!(forget)];

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
    fn memory(self) -> MemoryOf {
        let directory = || MemoryOf::Directory(self.dir.unwrap_or_else(|| ".".into()));
        self.agent.map_or_else(directory, MemoryOf::Agent)
    }
}

/// Which section of a file.
#[derive(clap::Args)]
struct Section {
    /// The section that this line belongs to
    #[arg(long, value_name = "N")]
    line: Option<usize>,
    /// The section with this heading
    #[arg(long, value_name = "HEADING", conflicts_with = "line")]
    section: Option<String>,
}
