use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::ops::registry::init::Request;

use crate::cli::Global;
use crate::output::{Failure, registry};

/// Begin a registry: a git repository with workflows for CI
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry init ourselves    a new folder with a first commit")]
pub(crate) struct Arguments {
    /// The folder, new or empty
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

pub(crate) fn run(global: &Global, Arguments { dir }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { dir }, registry::created)
}
