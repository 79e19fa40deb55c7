use std::process::ExitCode;

use soul_engine::ops::session::start::{self, Runs};

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Start a session of an agent on its soul as it is now, or of nobody on a soul of the library
///
/// An invalid soul has no session. An agent without a soul, or with souls switched off, runs without
/// one, unless `[agents.soul] fallback` is `library`. Without an agent, the session takes the soul of the
/// library that is selected, else `default`, else one that is built in.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: Option<String>,
    /// Take this soul of the library, instead of an agent
    #[arg(long, value_name = "ID", conflicts_with = "agent")]
    soul: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let runs = match (&arguments.agent, &arguments.soul) {
        (Some(agent), _) => Runs::Agent(crate::cli::agent(agent)?),
        (None, Some(id)) => Runs::Soul(crate::cli::library::id(id)?),
        (None, None) => Runs::Selected,
    };
    let request = start::Request { runs, asker: arguments.actor.asker("session start") };
    let resolved = global.ask(request)?;
    if global.json {
        output::json("session.start", &resolved)?;
    } else {
        output::print(&live::session(&resolved.response))?;
    }
    Ok(ExitCode::SUCCESS)
}
