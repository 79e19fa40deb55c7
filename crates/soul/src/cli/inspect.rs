use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::inspect;

use super::Global;
use crate::output::{self, Failure, terminal};

/// Show what a soul says, its digest, and everything wrong with it
///
/// Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    target: OsString,
    /// Read it in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request = inspect::Request { target: super::target(&arguments.target)?, dialect: arguments.dialect };
    let response = inspect::run(&global.keeper()?, request)?;
    if global.json {
        output::json("inspect", &response)?;
    } else {
        output::print(&terminal::inspection(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
