use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::write;

use super::Global;
use super::author::Author;
use crate::output::{self, Failure, record};

/// Write an agent's soul, on record and never over what you have not seen
///
/// The text is checked first; an invalid one changes nothing. What somebody else did to the file is
/// taken into the record before it is replaced.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The new text, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: OsString,
    /// Read it in this dialect from now on, instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Make the agent if it is not there: in the workspace if there is one, else in the home
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    author: Author,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request = write::Request {
        agent: super::agent(&arguments.agent)?,
        body: super::bytes(global, &arguments.file)?,
        dialect: arguments.dialect,
        create: arguments.create,
        authorship: arguments.author.authorship("write"),
    };
    let changed = global.ask(request)?;
    if global.json {
        output::json("write", &changed)?;
    } else {
        output::print(&record::changed(&changed))?;
    }
    Ok(ExitCode::SUCCESS)
}
