use std::process::ExitCode;

use soul_engine::ops::outdated::Request;

use super::Global;
use crate::output::{Failure, packages};

/// List installed packages that have a newer version or a successor
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul outdated    compare with the registries")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request {}, packages::outdated)
}
