use std::process::ExitCode;

use soul_engine::ops::restore::Request;
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::{Failure, packages};

/// Take back what `soul use` has changed for an agent
///
/// Every file is again what it was, to the byte; files and folders that came with the package are gone. What the agent has
/// remembered since is kept. To restore a backup of the store, see `soul restore-backup`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul restore ada            as it was before the package
  soul restore ada --force    also if files of the package were edited since")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Discard what was edited in the package's files since
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(global: &Global, Arguments { agent, force }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { agent, force }, packages::restored)
}
