use std::process::ExitCode;

use soul_engine::ops::library::update;

use super::{Author, Content, Forced};
use crate::cli::Global;
use crate::output::{self, Failure, library};

/// Change a soul of the library; what is not named stays as it is, to the byte
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id
    id: String,
    /// What people call it
    #[arg(long, allow_hyphen_values = true)]
    name: Option<String>,
    /// What it is for; empty takes that away
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    author: Author,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, name, description, content, forced, author } = arguments;
    let (id, asker) = (super::id(&id)?, author.actor.asker("library update"));
    super::begin(global, &asker)?;
    let content = content.text(global)?;
    let (expected_digest, force) = (author.expected_digest, forced.reason());
    let soul = global.ask(update::Request { id, name, description, content, expected_digest, force, asker })?;
    if global.json {
        output::json("library.update", &soul)?;
    } else {
        output::print(&library::changed(&soul, "updated"))?;
    }
    Ok(ExitCode::SUCCESS)
}
