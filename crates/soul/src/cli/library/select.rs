use std::process::ExitCode;

use soul_engine::ops::library::select::{Request, Selection};
use soul_engine::souls;

use crate::cli::Global;
use crate::output::{Failure, library};

/// Select the soul for sessions and agents that have none
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Id of the soul; goes back to `default` if absent
    id: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    let selection = Selection::try_from(id.unwrap_or_default());
    let id = Some(selection.map_err(|bad| Failure::refused(souls::Error::from(bad)))?);
    global.answer(Request { id }, library::current)
}
