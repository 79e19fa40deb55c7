use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::session::start;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Start a session on an agent's soul as it is now, or without an agent on a library soul
///
/// An invalid soul has no session. An agent without a soul, or with souls switched off, runs without one, unless
/// `[agents.soul] fallback` is `library`. A session without an agent uses the selected soul of the library, else
/// `default`, else the built-in one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session start ada                bind a session to the soul of ada
  soul session start --soul reviewer    a soul of the library
  soul prompt --session sess_01M7HE      the prompt of that session")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: Option<AgentName>,
    /// Use this soul of the library instead of an agent
    #[arg(long, value_name = "ID", conflicts_with = "agent")]
    soul: Option<SoulId>,
}

pub(crate) fn run(global: &Global, Arguments { agent, soul }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(start::Request { agent, soul }, live::bound)
}
