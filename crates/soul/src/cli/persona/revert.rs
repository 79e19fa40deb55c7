use std::process::ExitCode;

use soul_engine::ids::MutationId;
use soul_engine::ops::persona::revert;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::{Failure, persona};

/// Revert an agent's traits to a recorded step, or all of its persona to what the author wrote
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona revert ada --to mut_01M7HE    keep the steps up to this one
  soul persona revert ada                    go back to what the author wrote")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The last step to keep; without it all steps, the mood and the overlays are reverted
    #[arg(long, value_name = "ID")]
    to: Option<MutationId>,
}

pub(crate) fn run(global: &Global, Arguments { agent, to }: Arguments) -> Result<ExitCode, Failure> {
    let name = agent.to_string();
    global.answer(revert::Request { agent, to }, |response| persona::reverted(&name, response))
}
