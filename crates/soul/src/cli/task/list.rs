use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use soul_engine::ops::task::list;
use soul_engine::store::TaskState;

use crate::cli::Global;
use crate::output::{self, Failure, live};

/// List tasks, oldest first
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// In this state only
    #[arg(long, value_enum)]
    state: Option<State>,
    /// Go on where the page before ended
    #[arg(long, value_name = "ID")]
    cursor: Option<String>,
    /// The most tasks
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    limit: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum State {
    /// Waiting
    Queued,
    /// Taken by a session
    Claimed,
    /// Done
    Done,
    /// Given up
    Failed,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let state = arguments.state.map(|state| match state {
        State::Queued => TaskState::Queued,
        State::Claimed => TaskState::Claimed,
        State::Done => TaskState::Done,
        State::Failed => TaskState::Failed,
    });
    let request = list::Request { state, cursor: arguments.cursor.map(Into::into), limit: arguments.limit };
    let response = global.ask(request)?;
    if global.json {
        output::json("task.list", &response)?;
    } else {
        output::print(&live::tasks(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
