use std::process::ExitCode;

use soul_engine::ops::persona::history;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::cli::input::Page;
use crate::output::{Failure, persona};

/// List the recorded steps of an agent's traits and what is left of them, newest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona history ada    every step, and what is left of it")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    #[command(flatten)]
    page: Page,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, page: Page { limit, cursor } } = arguments;
    let name = agent.to_string();
    global.answer(history::Request { agent, limit, cursor }, |response| persona::history(&name, response))
}
