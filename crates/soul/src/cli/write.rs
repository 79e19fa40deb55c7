use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::write::Request;
use soul_engine::workspace::AgentName;

use super::change::{Change, ChangeRequest, Conditions, Force, Guards, make};
use super::{Global, input};
use crate::output::{Failure, record};

/// Replace an agent's soul (recorded; refuses to overwrite unseen changes)
///
/// The text is checked first; an invalid one changes nothing. What was changed in the file outside of soul is recorded
/// before it is replaced.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul write ada --file draft.md                      at a terminal: shows the change and asks
  soul write ada --file draft.md -m 'warmer tone'     record why
  soul write ada --file - --expected-digest 4a4fa2    from a script
  soul write bob --file bob.md --create               a new agent")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The new text, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: OsString,
    /// Read the soul in this dialect from now on, instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Create the agent if it does not exist: in the workspace if there is one, else in the home
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    force: Force,
}

impl ChangeRequest for Request {
    const QUESTION: &'static str = "replace it?";

    fn guards(&mut self) -> Guards<'_> {
        let Self { agent, expected_digest, expected_revision, .. } = self;
        Guards { agent, expected_digest, expected_revision }
    }

    fn text(&self) -> Option<&[u8]> {
        Some(&self.body.0)
    }
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, file, dialect, create, change, force } = arguments;
    let Conditions { expected_digest, expected_revision, idempotency_key, message } = change.conditions();
    let (body, force) = (input::bytes(global, &file)?.into(), force.reason());
    let request =
        Request { agent, body, expected_digest, expected_revision, idempotency_key, dialect, create, message, force };
    let next =
        format!("`--create` creates the agent with this text; `soul new {}` begins with a template", request.agent);
    make(global, request, record::changed).map_err(|failure| match failure.report().code.as_str() {
        "agent_not_found" => failure.hint(next),
        _ => failure,
    })
}
