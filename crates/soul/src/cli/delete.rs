use std::process::ExitCode;

use soul_engine::ops::delete;

use super::Global;
use super::author::Author;
use crate::output::{self, Failure, record};

/// Remove an agent's soul; what it was stays on record
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    #[command(flatten)]
    author: Author,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let agent = super::agent(&arguments.agent)?;
    let request = delete::Request { agent, authorship: arguments.author.authorship("delete") };
    let changed = global.ask(request)?;
    if global.json {
        output::json("delete", &changed)?;
    } else {
        output::print(&record::changed(&changed))?;
    }
    Ok(ExitCode::SUCCESS)
}
