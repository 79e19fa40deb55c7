use std::process::ExitCode;

use soul_engine::ops::installed::Request;

use super::Global;
use crate::output::{Failure, packages};

/// List installed packages, and the agents that use them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul installed    every package of the home")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request {}, packages::installed)
}
