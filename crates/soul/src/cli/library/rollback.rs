use std::process::ExitCode;

use soul_engine::ops::library::rollback;

use super::{Author, Forced};
use crate::cli::Global;
use crate::output::{self, Failure, library};

/// Bring an earlier text of a soul of the library back, even of one that was deleted
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The soul's id
    id: String,
    /// The revision, as `soul library history` shows it
    #[arg(long, value_name = "ID")]
    revision: String,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    author: Author,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, revision, forced, author } = arguments;
    let (id, asker) = (super::id(&id)?, author.actor.asker("library rollback"));
    let (expected_digest, force) = (author.expected_digest, forced.reason());
    let soul = global.ask(rollback::Request { id, revision: revision.into(), expected_digest, force, asker })?;
    if global.json {
        output::json("library.rollback", &soul)?;
    } else {
        output::print(&library::changed(&soul, "rolled back"))?;
    }
    Ok(ExitCode::SUCCESS)
}
