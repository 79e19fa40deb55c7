use std::process::ExitCode;

use soul_engine::ops::session::show;

use crate::cli::Global;
use crate::output::{self, Failure, live};

/// Show a session, and whether it has a run under way
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session
    session: String,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let response = global.ask(show::Request { session: arguments.session.into() })?;
    if global.json {
        output::json("session.show", &response)?;
    } else {
        output::print(&live::shown(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
