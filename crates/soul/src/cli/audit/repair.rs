use std::process::ExitCode;

use soul_engine::ops::audit::repair;

use crate::cli::Global;
use crate::output::{Failure, record};

/// Explain and repair what earlier versions left in the record
///
/// Earlier versions let two copies of a workspace write at the same time, which broke the chain of revisions.
/// Nothing is deleted: each repair is recorded and listed by `soul audit verify`. What was changed after it was
/// recorded is reported, never repaired, and makes the command exit with 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul audit repair --dry-run    show what would be repaired
  soul audit repair              repair it")]
pub(crate) struct Arguments {
    /// Only show what is wrong and what would be done
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(global: &Global, Arguments { dry_run }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(repair::Request { dry_run }, record::repair)
}
