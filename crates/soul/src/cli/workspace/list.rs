use std::process::ExitCode;

use soul_engine::ops::workspace::list;

use crate::cli::Global;
use crate::output::{Failure, workspace};

/// List the records of all workspaces, and which directories use them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul workspace list    every record, and where it is used")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request {}, workspace::list)
}
