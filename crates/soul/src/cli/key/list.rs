use std::process::ExitCode;

use soul_engine::ops::key::list::Request;

use crate::cli::Global;
use crate::output::{Failure, packages};

/// List your keys, and the keys that publishers are known by
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul key list    every key")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request {}, packages::keys)
}
