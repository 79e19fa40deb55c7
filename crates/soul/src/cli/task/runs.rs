use std::process::ExitCode;

use soul_engine::ids::{SessionId, TaskId};
use soul_engine::ops::task::runs;
use soul_engine::store::RunState;

use crate::cli::Global;
use crate::cli::input::{Page, one_of};
use crate::output::{Failure, live};

/// List runs, newest first: which session claimed which task
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task runs                            every run
  soul task runs --session sess_01M7HE      those of a session
  soul task runs --state claimed            those that are under way")]
pub(crate) struct Arguments {
    /// Only runs of this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// Only runs of this task
    #[arg(long, value_name = "ID")]
    task: Option<TaskId>,
    /// Only runs in this state
    #[arg(long, value_parser = one_of::<RunState>(&[
        ("claimed", "Under way"),
        ("done", "Succeeded"),
        ("failed", "Failed"),
        ("expired", "The lease expired"),
    ]))]
    state: Option<RunState>,
    #[command(flatten)]
    page: Page,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { session: session_id, task: task_id, state, page: Page { limit, cursor } } = arguments;
    global.answer(runs::Request { session_id, task_id, state, limit, cursor }, live::runs)
}
