use std::process::ExitCode;

use soul_engine::ops::library::current;

use crate::cli::Global;
use crate::output::{Failure, library};

/// Show which soul is selected, and which one a session without an agent would use
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library current    which soul is used, and why")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(current::Request {}, library::current)
}
