use std::process::ExitCode;

use soul_engine::ops::registry::show::Request;
use soul_engine::registry::PackageName;

use crate::cli::Global;
use crate::output::{Failure, registry};

/// Show a package: what it is for, its files, and what it asks for
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry show soulkeeper/harbour-pilot           look before you install
  soul registry show soulkeeper/harbour-pilot --json    with its manifest and texts")]
pub(crate) struct Arguments {
    /// OWNER/NAME
    #[arg(value_name = "PACKAGE")]
    package: PackageName,
}

pub(crate) fn run(global: &Global, Arguments { package }: Arguments) -> Result<ExitCode, Failure> {
    let request = Request { owner: package.owner().to_owned(), name: package.name().to_owned() };
    global.answer(request, registry::package)
}
