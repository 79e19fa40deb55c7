use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use soul_engine::ops::session::list;
use soul_engine::store::SessionState;

use crate::cli::Global;
use crate::output::{self, Failure, live};

/// List sessions, newest first
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Of this agent only
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// In this state only
    #[arg(long, value_enum)]
    state: Option<State>,
    /// The most sessions
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    limit: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum State {
    /// Live
    Active,
    /// Stopped
    Stopped,
}

pub(super) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let agent = arguments.agent.as_deref().map(crate::cli::agent).transpose()?;
    let state = arguments.state.map(|state| match state {
        State::Active => SessionState::Active,
        State::Stopped => SessionState::Stopped,
    });
    let response = global.ask(list::Request { agent, state, limit: arguments.limit })?;
    if global.json {
        output::json("session.list", &response)?;
    } else {
        output::print(&live::sessions(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
