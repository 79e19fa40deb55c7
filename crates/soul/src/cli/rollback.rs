use std::process::ExitCode;

use soul_engine::ids::RevisionId;
use soul_engine::ops::rollback;
use soul_engine::workspace::AgentName;

use super::Global;
use super::change::{Change, Force};
use crate::output::{Failure, record};

/// Restore an earlier text of a soul
///
/// The text is checked like any other: what today's rules forbid cannot come back.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The revision to restore, as `soul history` shows it
    #[arg(long = "revision", value_name = "ID")]
    revision_id: RevisionId,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, revision_id, dry_run, change, force } = arguments;
    let ((expected_digest, idempotency_key, message), force) = (change.parts(), force.reason());
    let request = rollback::Request { agent, revision_id, expected_digest, idempotency_key, message, force, dry_run };
    global.answer(request, record::rolled_back)
}
