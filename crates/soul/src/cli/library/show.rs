use std::process::ExitCode;

use soul_engine::ops::library::show;

use crate::cli::Global;
use crate::output::{self, Failure, library};

/// Show a soul of the library with its content
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id
    id: String,
}

pub(super) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let id = super::id(&arguments.id)?;
    super::begin_if_possible(global, "library show")?;
    let soul = global.ask(show::Request { id })?;
    if global.json {
        output::json("library.show", &soul)?;
    } else {
        output::print(&library::soul(&soul))?;
    }
    Ok(ExitCode::SUCCESS)
}
