use std::process::ExitCode;

use soul_engine::ops::diff::{self, Side};

use super::Global;
use crate::output::{self, Failure, record};

/// Show what changed in a soul, in its meaning and in its text
///
/// Without revisions: what was done to the file since it was last recorded.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The earlier one: a revision, or `file`; the last revision if nothing is said
    from: Option<String>,
    /// The later one: a revision, or `file`; the file if nothing is said
    to: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let side = |typed: String| if typed == "file" { Side::File } else { Side::Revision(typed.into()) };
    let request = diff::Request {
        agent: super::agent(&arguments.agent)?,
        from: arguments.from.map(side),
        to: arguments.to.map(side),
    };
    let response = global.ask(request)?;
    if global.json {
        output::json("diff", &response)?;
    } else {
        output::print(&record::difference(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
