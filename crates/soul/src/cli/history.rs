use std::process::ExitCode;

use soul_engine::ops::history;
use soul_engine::workspace::AgentName;

use super::Global;
use super::input::Page;
use crate::output::{Failure, record};

/// List the recorded changes of a soul, newest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul history ada                      who changed what, and when
  soul history ada --diffs --limit 3    the last three changes, line by line
  soul history ada -v                   with full ids and digests")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    texts: Texts,
}

/// What to show of each revision.
#[derive(clap::Args)]
pub(super) struct Texts {
    /// Show the text of each revision
    #[arg(long)]
    pub(super) bodies: bool,
    /// Show what each revision changed in the text
    #[arg(long)]
    pub(super) diffs: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, page: Page { limit, cursor }, texts: Texts { bodies, diffs } } = arguments;
    let name = agent.to_string();
    let is_first = cursor.is_none();
    let request = history::Request { agent, limit, cursor, bodies, diffs };
    global.answer(request, |response| record::history(&name, response, is_first))
}
