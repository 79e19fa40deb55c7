use std::process::ExitCode;

use soul_engine::ops::task::list;
use soul_engine::store::TaskState;

use crate::cli::Global;
use crate::cli::input::{Page, one_of};
use crate::output::{Failure, live};

/// List tasks, oldest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task list                   every task
  soul task list --state queued    those that nobody has claimed")]
pub(crate) struct Arguments {
    /// Only tasks in this state
    #[arg(long, value_parser = one_of::<TaskState>(&[
        ("queued", "Waiting"),
        ("claimed", "Claimed by a session"),
        ("done", "Done"),
        ("failed", "Failed"),
    ]))]
    state: Option<TaskState>,
    #[command(flatten)]
    page: Page,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { state, page: Page { limit, cursor } } = arguments;
    global.answer(list::Request { state, limit, cursor }, live::tasks)
}
