use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::boot;

use super::Global;
use crate::output::{self, Failure};

/// Show what an agent comes up with: its files in order, and what becomes of each
///
/// Nothing is written. Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name, or a directory or file like one
    #[arg(value_name = "AGENT")]
    target: OsString,
    /// Read the soul in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request = boot::Request { target: super::target(&arguments.target)?, dialect: arguments.dialect };
    let response = global.ask(request)?;
    if global.json {
        output::json("boot", &response)?;
    } else {
        output::print(&output::boot::started(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
