use std::process::ExitCode;

use soul_engine::ops::status;
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::{Failure, agents};

/// Show how agents stand, what is wrong, and what to do next
///
/// Compares the file with the record and live sessions with the file, and runs the checks and the scanner.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul status        every agent that needs a look
  soul status ada    one agent in full")]
pub(crate) struct Arguments {
    /// The agent's name; every agent if absent
    agent: Option<AgentName>,
}

pub(crate) fn run(global: &Global, Arguments { agent }: Arguments) -> Result<ExitCode, Failure> {
    let is_one = agent.is_some();
    global.answer(status::Request { agent }, |response| agents::status(response, is_one))
}
