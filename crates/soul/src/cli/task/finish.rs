use std::process::ExitCode;

use soul_engine::ops::task::finish;
use soul_engine::store::Outcome;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// End a run, and with it the task
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The run
    run: String,
    /// It did not end well
    #[arg(long)]
    failed: bool,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let outcome = if arguments.failed { Outcome::Failed } else { Outcome::Done };
    let asker = arguments.actor.asker("task finish");
    let response = global.ask(finish::Request { run: arguments.run.into(), outcome, asker })?;
    if global.json {
        output::json("task.finish", &response)?;
    } else {
        output::print(&live::run(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
