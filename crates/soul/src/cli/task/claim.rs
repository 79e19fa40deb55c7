use std::process::ExitCode;
use std::time::Duration;

use soul_engine::ops::task::claim;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Take the oldest task that waits
///
/// Of many who ask at once, one gets it. Who the session was is written into the run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session that takes it
    #[arg(long, value_name = "ID")]
    session: String,
    /// How long before others may take it
    #[arg(long, default_value = "60s", value_parser = super::lease)]
    lease: Duration,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { session, lease, actor } = arguments;
    let request = claim::Request { session: session.into(), lease, asker: actor.asker("task claim") };
    let response = global.ask(request)?;
    if global.json {
        output::json("task.claim", &response)?;
    } else {
        output::print(&live::run(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
