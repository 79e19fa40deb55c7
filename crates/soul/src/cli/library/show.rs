use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::library::show;

use crate::cli::Global;
use crate::output::{Failure, library};

/// Show a soul of the library, with its content
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library show default    one soul with its text")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(show::Request { id, source: false }, library::soul)
}
