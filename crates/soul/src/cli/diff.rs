use std::process::ExitCode;

use soul_engine::ops::diff::{self, Side};
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::{Failure, record};

/// Compare two texts of a soul, by meaning and line by line
///
/// Without revisions: what was done to the file since it was last recorded.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul diff ada                   edits of the file that are not recorded
  soul diff ada @- @              the last recorded change
  soul diff ada rev_01M7HEDC99    everything since a revision")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The earlier text: a revision, or `file`; defaults to the last revision
    from: Option<Side>,
    /// The later text: a revision, or `file`; defaults to the file
    to: Option<Side>,
}

pub(crate) fn run(global: &Global, Arguments { agent, from, to }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(diff::Request { from, to, ..diff::Request::new(agent) }, record::difference)
}
