use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::library::history;

use crate::cli::Global;
use crate::cli::history::Texts;
use crate::cli::input::Page;
use crate::output::{Failure, record};

/// List the recorded changes of a library soul, newest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library history reviewer            who changed what, and when
  soul library history reviewer --diffs    the same, line by line")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    texts: Texts,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, page: Page { limit, cursor }, texts: Texts { bodies, diffs } } = arguments;
    let name = id.to_string();
    let is_first = cursor.is_none();
    let request = history::Request { id, limit, cursor, bodies, diffs };
    global.answer(request, |response| record::history(&name, response, is_first))
}
