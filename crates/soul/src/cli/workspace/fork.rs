use std::process::ExitCode;

use soul_engine::ops::workspace::fork;

use crate::cli::Global;
use crate::output::{Failure, workspace};

/// Give this workspace a record of its own that begins with the history so far
///
/// The workspace gets a new `.soul/id`. Traits and moods of its agents are carried over; sessions stay with the
/// original. From then on, changes here and there do not concern each other.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul workspace fork    in a clone that goes its own way")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(fork::Request {}, workspace::forked)
}
