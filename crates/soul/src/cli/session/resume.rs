use std::process::ExitCode;

use soul_engine::ops::session::resume;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Go on with a session, on the soul that it was bound to
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session
    session: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let asker = arguments.actor.asker("session resume");
    let response = global.ask(resume::Request { session: arguments.session.into(), asker })?;
    if global.json {
        output::json("session.resume", &response)?;
    } else {
        output::print(&live::session(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
