use std::process::ExitCode;

use soul_engine::ops::delete;
use soul_engine::workspace::AgentName;

use super::Global;
use super::change::{Change, ChangeRequest, Conditions, Guards, make};
use crate::output::{Failure, record};

/// Delete an agent's soul (its history stays)
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul delete ada                            shows what is there and asks
  soul delete ada --expected-digest 4a4fa2   from a script
  soul undo ada                              brings it back")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    #[command(flatten)]
    change: Change,
}

impl ChangeRequest for delete::Request {
    const QUESTION: &'static str = "delete it?";

    fn guards(&mut self) -> Guards<'_> {
        let Self { agent, expected_digest, expected_revision, .. } = self;
        Guards { agent, expected_digest, expected_revision }
    }
}

pub(crate) fn run(global: &Global, Arguments { agent, change }: Arguments) -> Result<ExitCode, Failure> {
    let Conditions { expected_digest, expected_revision, idempotency_key, message } = change.conditions();
    let request = delete::Request { agent, expected_digest, expected_revision, idempotency_key, message };
    make(global, request, record::changed)
}
