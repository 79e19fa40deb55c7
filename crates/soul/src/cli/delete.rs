use std::process::ExitCode;

use soul_engine::ops::delete;
use soul_engine::workspace::AgentName;

use super::Global;
use super::change::Change;
use crate::output::{Failure, record};

/// Delete an agent's soul (its history stays)
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    #[command(flatten)]
    change: Change,
}

pub(crate) fn run(global: &Global, Arguments { agent, change }: Arguments) -> Result<ExitCode, Failure> {
    let (expected_digest, idempotency_key, message) = change.parts();
    global.answer(delete::Request { agent, expected_digest, idempotency_key, message }, record::changed)
}
