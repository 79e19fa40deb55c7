use std::process::ExitCode;

use soul_engine::ids::RunId;
use soul_engine::ops::task::finish;

use crate::cli::Global;
use crate::output::{Failure, live};

/// End a run, and with it the task
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task finish run_01M7HE             the task is done
  soul task finish run_01M7HE --failed    the task failed")]
pub(crate) struct Arguments {
    /// The run
    #[arg(value_name = "RUN")]
    run_id: RunId,
    /// Record that the task failed
    #[arg(long)]
    failed: bool,
}

pub(crate) fn run(global: &Global, Arguments { run_id, failed }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(finish::Request { run_id, failed }, live::run)
}
