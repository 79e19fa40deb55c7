use std::process::ExitCode;

use clap::builder::RangedU64ValueParser;
use soul_engine::ops::history;

use super::Global;
use crate::output::{self, Failure, record};

/// Show who changed a soul, when, and to what; newest first
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    #[command(flatten)]
    page: Page,
}

/// Which part of a history.
#[derive(clap::Args)]
pub(super) struct Page {
    /// The most revisions
    #[arg(long, value_name = "N", default_value_t = history::DEFAULT_LIMIT, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub(super) limit: usize,
    /// Go on where the page before ended
    #[arg(long)]
    pub(super) cursor: Option<String>,
    /// Show the texts too
    #[arg(long)]
    pub(super) bodies: bool,
    /// Show what changed in the text too
    #[arg(long)]
    pub(super) diffs: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, page: Page { limit, cursor, bodies, diffs } } = arguments;
    let request = history::Request { agent: super::agent(&agent)?, limit, cursor, bodies, diffs };
    let response = global.ask(request)?;
    if global.json {
        output::json("history", &response)?;
    } else {
        output::print(&record::history(&agent, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
