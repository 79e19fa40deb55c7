use std::process::ExitCode;

use soul_engine::ops::library::select::{Request, Selection};
use soul_engine::souls;

use crate::cli::Global;
use crate::output::{Failure, library};

/// Select the soul for sessions and agents without their own
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library select reviewer    use it where there is no other soul
  soul library select             go back to `default`")]
pub(crate) struct Arguments {
    /// Id of the soul; goes back to `default` if absent
    id: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    let selection = Selection::try_from(id.unwrap_or_default());
    let id = Some(selection.map_err(|bad| Failure::refused(souls::Error::from(bad)))?);
    global.answer(Request { id }, library::current)
}
