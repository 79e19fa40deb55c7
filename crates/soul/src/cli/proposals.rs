use std::process::ExitCode;

use soul_engine::ops::proposals::{Request, StateFilter};
use soul_engine::workspace::AgentName;

use super::Global;
use super::input::{Page, one_of};
use crate::output::{Failure, proposals};

/// List proposed changes of souls, newest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul proposals                       what waits for a review
  soul proposals --agent ada --state all
  soul review prop_01K9                show one, and accept or reject it")]
pub(crate) struct Arguments {
    /// Only proposals for this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<AgentName>,
    /// Only proposals in this state
    #[arg(long, value_parser = one_of::<StateFilter>(&[
        ("pending", "Not reviewed yet (the default)"),
        ("accepted", "Accepted"),
        ("rejected", "Rejected"),
        ("all", "All of them"),
    ]))]
    state: Option<StateFilter>,
    #[command(flatten)]
    page: Page,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, state, page: Page { limit, cursor } } = arguments;
    global.answer(Request { agent, state, limit, cursor }, proposals::list)
}
