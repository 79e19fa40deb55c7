use std::process::ExitCode;

use soul_engine::ops::memory::status;

use super::Place;
use crate::cli::Global;
use crate::output::{Failure, memory};

/// Show what a memory holds, and the state of its index
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory status                in the current directory
  soul memory status --agent ada    of an agent")]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, Arguments { place }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(status::Request { memory: place.memory() }, memory::status)
}
