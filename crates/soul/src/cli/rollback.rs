use std::process::ExitCode;

use soul_engine::ops::rollback::{self, Response};

use super::Global;
use super::author::Author;
use crate::output::{self, Failure, record};

/// Bring an earlier text of a soul back
///
/// It is checked as any other text: what today's rules forbid cannot come back.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The revision, as `soul history` shows it
    #[arg(long, value_name = "ID")]
    revision: String,
    /// Tell what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    author: Author,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request = rollback::Request {
        agent: super::agent(&arguments.agent)?,
        revision: arguments.revision.into(),
        dry_run: arguments.dry_run,
        authorship: arguments.author.authorship("rollback"),
    };
    let response = global.ask(request)?;
    match &response {
        response if global.json => output::json("rollback", response)?,
        Response::Done(changed) => output::print(&record::changed(changed))?,
        Response::Plan(plan) => output::print(&record::difference(&plan.diff))?,
    }
    Ok(ExitCode::SUCCESS)
}
