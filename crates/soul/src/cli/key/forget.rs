use std::process::ExitCode;

use soul_engine::ops::key::forget::Request;

use crate::cli::Global;
use crate::output::{Failure, packages};

/// Forget the keys that a publisher is known by
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul key forget lighthouse    the next key is trusted at first use again")]
pub(crate) struct Arguments {
    /// The publisher: the OWNER of packages
    owner: String,
}

pub(crate) fn run(global: &Global, Arguments { owner }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { owner }, packages::key_forgotten)
}
