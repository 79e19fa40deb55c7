use std::process::ExitCode;

use soul_engine::ids::RunId;
use soul_engine::ops::task::finish;

use crate::cli::Global;
use crate::output::{Failure, live};

/// End a run, and with it the task
#[derive(clap::Args)]
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
