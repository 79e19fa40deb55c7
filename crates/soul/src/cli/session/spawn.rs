use std::process::ExitCode;

use soul_engine::ops::session::spawn;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Start a session from another one
///
/// The child has its own agent's soul. Of the parent's only the digest is noted.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session that starts it
    parent: String,
    /// The agent's name
    agent: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let agent = crate::cli::agent(&arguments.agent)?;
    let asker = arguments.actor.asker("session spawn");
    let request = spawn::Request { parent: arguments.parent.into(), agent, asker };
    let resolved = global.ask(request)?;
    if global.json {
        output::json("session.spawn", &resolved)?;
    } else {
        output::print(&live::session(&resolved.response))?;
    }
    Ok(ExitCode::SUCCESS)
}
