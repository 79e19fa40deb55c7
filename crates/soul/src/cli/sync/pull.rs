use std::process::ExitCode;

use soul_engine::ops::sync::pull;

use crate::cli::Global;
use crate::output::{Failure, sync};

/// Bring changes of the remote here
///
/// Changes of both sides are merged; what cannot be merged is a conflict (exit code 3). A soul that the remote deleted
/// stays until you accept the proposal to delete it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync pull             fetch, merge, validate, scan and record
  soul sync pull --json      the same for scripts")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(pull::Request {}, sync::result)
}
