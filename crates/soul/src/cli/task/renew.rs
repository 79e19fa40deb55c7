use std::process::ExitCode;

use soul_engine::fields::Lease;
use soul_engine::ids::RunId;
use soul_engine::ops::task::renew;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Renew the lease of a run
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task renew run_01M7HE --lease 5m    keep the run for five more minutes")]
pub(crate) struct Arguments {
    /// The run
    #[arg(value_name = "RUN")]
    run_id: RunId,
    /// How long the session keeps it from now
    #[arg(long = "lease", value_name = "LEASE", default_value = "60s", value_parser = super::lease)]
    lease_seconds: Lease,
}

pub(crate) fn run(global: &Global, Arguments { run_id, lease_seconds }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(renew::Request { run_id, lease_seconds }, live::run)
}
