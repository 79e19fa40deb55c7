use std::process::ExitCode;

use soul_engine::ops::library::select;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, library};

/// Select the soul that is taken by whoever brings none
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id; without it, back to `default`
    id: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let id = arguments.id.filter(|id| !id.is_empty()).map(|id| super::id(&id)).transpose()?;
    let asker = arguments.actor.asker("library select");
    super::begin(global, &asker)?;
    let response = global.ask(select::Request { id, asker })?;
    if global.json {
        output::json("library.select", &response)?;
    } else {
        output::print(&library::current(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
