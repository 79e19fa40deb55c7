use std::process::ExitCode;

use soul_engine::ops::key::create::{DEFAULT, Request};

use crate::cli::Global;
use crate::output::{Failure, packages};

/// Create a key to sign packages with
///
/// The secret part is `keys/NAME.key` in the home, which only you can read, without a password; the public part is
/// `keys/NAME.pub`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul key create            a key named `default`
  soul key create release    another one")]
pub(crate) struct Arguments {
    /// The name of the key
    #[arg(value_name = "NAME", default_value = DEFAULT)]
    name: String,
}

pub(crate) fn run(global: &Global, Arguments { name }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { name }, packages::key_created)
}
