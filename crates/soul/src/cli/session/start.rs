use std::process::ExitCode;

use soul_engine::ops::session::start;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Start a session of an agent on its soul as it is now
///
/// An invalid soul has no session. An agent without a soul, or with souls switched off, runs without
/// one.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let agent = crate::cli::agent(&arguments.agent)?;
    let request = start::Request { agent, asker: arguments.actor.asker("session start") };
    let resolved = start::run(&global.keeper()?, request)?;
    if global.json {
        output::json("session.start", &resolved)?;
    } else {
        output::print(&live::session(&resolved.response))?;
    }
    Ok(ExitCode::SUCCESS)
}
