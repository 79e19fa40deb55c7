use std::process::ExitCode;

use soul_engine::ops::memory::pull;

use super::Place;
use crate::cli::{Global, input};
use crate::output::{Failure, memory};

/// Merge changes of a memory's remote into the files
///
/// Daily logs and lists keep what both sides wrote. Of a line that both changed the last writer's stays; the other one is
/// kept and named.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory pull --agent ada    fetch and merge")]
pub(crate) struct Arguments {
    /// Take texts whatever the scanner finds, for this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, Arguments { force, place }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(pull::Request { memory: place.memory(), force: input::non_blank(force) }, memory::synced)
}
