use std::process::ExitCode;

use soul_engine::ops::library::delete;

use super::Author;
use crate::cli::Global;
use crate::output::{self, Failure, library};

/// Take a soul out of the library; what it was stays on record
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id
    id: String,
    /// Even if it is the one that is selected, or the default
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    author: Author,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, force, author } = arguments;
    let (id, asker) = (super::id(&id)?, author.actor.asker("library delete"));
    super::begin(global, &asker)?;
    let request = delete::Request { id, force, expected_digest: author.expected_digest, asker };
    let response = global.ask(request)?;
    if global.json {
        output::json("library.delete", &response)?;
    } else {
        output::print(&library::deleted(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
