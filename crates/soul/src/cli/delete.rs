use std::process::ExitCode;

use soul_engine::fields::ExpectedDigest;
use soul_engine::ops::delete;
use soul_engine::workspace::AgentName;

use super::Global;
use super::change::{Change, ChangeRequest, Conditions, make};
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

    fn agent(&self) -> &AgentName {
        &self.agent
    }

    fn expected_digest(&self) -> Option<&ExpectedDigest> {
        self.expected_digest.as_ref()
    }

    fn expecting(self, digest: ExpectedDigest) -> Self {
        Self { expected_digest: Some(digest), expected_revision: None, ..self }
    }
}

pub(crate) fn run(global: &Global, Arguments { agent, change }: Arguments) -> Result<ExitCode, Failure> {
    let Conditions { expected_digest, expected_revision, idempotency_key, message } = change.conditions();
    let request = delete::Request { agent, expected_digest, expected_revision, idempotency_key, message };
    make(global, request, record::changed)
}
