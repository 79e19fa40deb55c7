use std::process::ExitCode;

use soul_engine::ops::sync::status;

use crate::cli::Global;
use crate::output::{Failure, sync};

/// Show how souls stand with the remote
///
/// Nothing is fetched: `soul sync pull` looks at the remote. Souls that are synced are counted, and listed with
/// `--verbose`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync status           what is modified, untracked, missing or in conflict
  soul sync status --json    every soul with its hashes and commits")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(status::Request {}, sync::status)
}
