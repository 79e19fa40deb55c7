use std::process::ExitCode;

use soul_engine::ops::workspace::adopt;

use crate::cli::Global;
use crate::cli::input::non_blank;
use crate::output::{Failure, workspace};

/// Reconnect this workspace with its record after `.soul/id` was lost
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul workspace adopt              reconnect with the only record that fits
  soul workspace adopt ws_01M7HE    name the record")]
pub(crate) struct Arguments {
    /// The id of the record, as `soul workspace list` shows it; defaults to the only one that fits
    scope: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { scope }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(adopt::Request { scope: non_blank(scope) }, workspace::adopted)
}
