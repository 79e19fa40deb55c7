use std::process::ExitCode;

use soul_engine::ops::library::history;

use crate::cli::Global;
use crate::cli::history::Page;
use crate::output::{self, Failure, record};

/// Show who changed a soul of the library, when, and to what; newest first
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id
    id: String,
    #[command(flatten)]
    page: Page,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Page { limit, cursor, bodies, diffs } = arguments.page;
    let id = super::id(&arguments.id)?;
    super::begin_if_possible(global, "library history")?;
    let response = global.ask(history::Request { id, limit, cursor, bodies, diffs })?;
    if global.json {
        output::json("library.history", &response)?;
    } else {
        output::print(&record::history(&arguments.id, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
