use std::process::ExitCode;

use soul_engine::ops::session::list;
use soul_engine::store::SessionState;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::cli::input::{Page, one_of};
use crate::output::{Failure, live};

/// List sessions, newest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session list                               every session
  soul session list --agent ada --state active    running sessions of one agent")]
pub(crate) struct Arguments {
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<AgentName>,
    /// Only sessions in this state
    #[arg(long, value_parser = one_of::<SessionState>(&[("active", "Running"), ("stopped", "Stopped")]))]
    state: Option<SessionState>,
    #[command(flatten)]
    page: Page,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, state, page: Page { limit, cursor } } = arguments;
    global.answer(list::Request { agent, state, limit, cursor }, live::sessions)
}
