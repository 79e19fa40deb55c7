use std::process::ExitCode;

use soul_engine::ops::library::current;

use crate::cli::Global;
use crate::output::{self, Failure, library};

/// Show which soul is taken by whoever brings none, and why
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(super) fn run(global: &Global, Arguments {}: &Arguments) -> Result<ExitCode, Failure> {
    super::begin_if_possible(global, "library current")?;
    let response = global.ask(current::Request {})?;
    if global.json {
        output::json("library.current", &response)?;
    } else {
        output::print(&library::current(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
