use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::spawn;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Start a session from another one
///
/// The child has its own agent's soul. Only the digest of the parent's is recorded.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session spawn sess_01M7HE bob    a session of bob, started from another one")]
pub(crate) struct Arguments {
    /// The session that starts it
    #[arg(value_name = "PARENT")]
    parent_id: SessionId,
    /// The agent's name
    agent: AgentName,
}

pub(crate) fn run(global: &Global, Arguments { parent_id, agent }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(spawn::Request { parent_id, agent }, live::bound)
}
