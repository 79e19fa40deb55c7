use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::record::Request;
use soul_engine::store::Message;
use soul_engine::workspace::AgentName;

use super::change::Force;
use super::{Global, input};
use crate::output::{Failure, record};

/// Record an edit of the file as your own
///
/// For a SOUL.md that was edited in place. The text is checked like one that is written; the file stays as it is.
/// An edit that nobody records is recorded as `outside` with the next change.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul record ada                    record what is in the file now
  soul record ada -m 'Warmer tone'   and say why
  soul diff ada                      see first what was edited")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Record why the change is made, in at most 1024 bytes
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
    /// Read the soul in this dialect from now on, instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, message, dialect, force } = arguments;
    let request = Request { agent, dialect, message, force: force.reason() };
    global.answer(request, record::changed)
}
