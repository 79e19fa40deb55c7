use std::process::ExitCode;

use soul_engine::ops::workspace::share;

use crate::cli::Global;
use crate::output::{Failure, workspace};

/// Let this copy of a workspace change the record that it shares with the original
///
/// Changes from all directories of the record take turns, and each appears in the history of all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul workspace share    in a worktree of the same repository")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(share::Request {}, workspace::shared)
}
