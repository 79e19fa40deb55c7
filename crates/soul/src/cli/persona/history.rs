use std::process::ExitCode;

use clap::builder::RangedU64ValueParser;
use soul_engine::ops::history::DEFAULT_LIMIT;
use soul_engine::ops::persona::history;

use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Show the steps that traits took, and what is left of them; newest first
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The most steps
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    limit: usize,
    /// Go on where the page before ended
    #[arg(long)]
    cursor: Option<String>,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, limit, cursor } = arguments;
    let response = global.ask(history::Request { agent: agent(&name)?, limit, cursor })?;
    if global.json {
        output::json("persona.history", &response)?;
    } else {
        output::print(&persona::history(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
