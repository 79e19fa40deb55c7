use std::process::ExitCode;
use std::time::Duration;

use soul_engine::ops::task::renew;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Keep a run for longer
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The run
    run: String,
    /// How long from now
    #[arg(long, default_value = "60s", value_parser = super::lease)]
    lease: Duration,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { run, lease, actor } = arguments;
    let response = global.ask(renew::Request { run: run.into(), lease, asker: actor.asker("task renew") })?;
    if global.json {
        output::json("task.renew", &response)?;
    } else {
        output::print(&live::run(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
