use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::library::update;

use super::Content;
use crate::cli::Global;
use crate::cli::change::{Force, Seen};
use crate::output::{Failure, library};

/// Change a soul of the library; what is not given stays as it is, to the byte
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library update reviewer --file reviewer.md            replace the text
  soul library update reviewer --description 'Reads code'    replace the description only")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    /// New name
    #[arg(long, allow_hyphen_values = true)]
    name: Option<String>,
    /// New description; an empty one removes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    seen: Seen,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, name, description, content, force, seen } = arguments;
    let (content, force, expected_digest) = (content.text(global)?, force.reason(), seen.digest());
    let request = update::Request { id, name, description, content, expected_digest, force };
    global.answer(request, |soul| library::changed(soul, "updated"))
}
