use std::process::ExitCode;

use soul_engine::ids::RevisionId;
use soul_engine::ops::show;
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::style::hint;
use crate::output::{self, Failure};

/// Print the text of an agent's soul
///
/// Prints the bytes of the file, and a final newline only on a terminal.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul show ada              read it
  soul show ada @-           the text before the last change
  soul show ada > ada.md     take a copy")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Print the text of this revision instead: an id or the beginning of one, `@`, `@-`, `@-2`, …
    revision: Option<RevisionId>,
}

pub(crate) fn run(global: &Global, Arguments { agent, revision }: Arguments) -> Result<ExitCode, Failure> {
    let request = show::Request { revision_id: revision, ..show::Request::new(agent.clone()) };
    global.answer_with(request, |response| match &response.text {
        Some(text) => output::bytes(text.as_bytes()),
        None => {
            let next = hint(&format!("`soul new {agent}` writes one"));
            output::note(&format!("`{agent}` has no soul\n{next}"))
        }
    })
}
