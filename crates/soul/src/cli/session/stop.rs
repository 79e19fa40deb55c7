use std::process::ExitCode;

use soul_engine::ops::session::stop;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Stop a session
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session
    session: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let asker = arguments.actor.asker("session stop");
    let response = global.ask(stop::Request { session: arguments.session.into(), asker })?;
    if global.json {
        output::json("session.stop", &response)?;
    } else {
        output::print(&live::session(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
