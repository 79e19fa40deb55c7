use std::process::ExitCode;

use soul_engine::ops::persona::revert;

use crate::cli::author::Actor;
use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Take adaptations back, to a step or to what the author wrote
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The last step that stays; without it all goes: steps, mood and overlays
    #[arg(long, value_name = "ID")]
    to: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, to, actor } = arguments;
    let asker = actor.asker("persona revert");
    let request = revert::Request { agent: agent(&name)?, to: to.map(Into::into), asker };
    let response = global.ask(request)?;
    if global.json {
        output::json("persona.revert", &response)?;
    } else {
        output::print(&persona::reverted(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
