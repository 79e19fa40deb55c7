use std::process::ExitCode;

use soul_engine::ops::store::info;

use crate::cli::Global;
use crate::output::{Failure, store};

/// Show which store is used, where it is, and how much is in it
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul store info       engine, place, size, souls and revisions
  soul store info -v    also the rows of each table")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(info::Request {}, store::info)
}
