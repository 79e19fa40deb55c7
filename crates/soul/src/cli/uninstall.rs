use std::process::ExitCode;

use soul_engine::ops::uninstall::Request;
use soul_engine::registry::PackageName;

use super::Global;
use crate::output::{Failure, packages};

/// Remove an installed package
///
/// Agents that use it keep what they have; `soul restore` takes that back.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul uninstall soulkeeper/harbour-pilot    remove it from the home")]
pub(crate) struct Arguments {
    /// OWNER/NAME
    #[arg(value_name = "PACKAGE")]
    package: PackageName,
}

pub(crate) fn run(global: &Global, Arguments { package }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { package }, packages::uninstalled)
}
