use std::process::ExitCode;

use soul_engine::fields::Lease;
use soul_engine::ids::SessionId;
use soul_engine::ops::task::claim;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Claim the oldest waiting task
///
/// Of many sessions that claim at once, one gets it. The soul of the session is recorded in the run.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task claim --session sess_01M7HE                claim the oldest task for a minute
  soul task claim --session sess_01M7HE --lease 10m    for ten minutes")]
pub(crate) struct Arguments {
    /// The session that claims it
    #[arg(long = "session", value_name = "ID")]
    session_id: SessionId,
    /// How long before others may claim it
    #[arg(long = "lease", value_name = "LEASE", default_value = "60s", value_parser = super::lease)]
    lease_seconds: Lease,
}

pub(crate) fn run(global: &Global, Arguments { session_id, lease_seconds }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(claim::Request { session_id, lease_seconds }, live::run)
}
