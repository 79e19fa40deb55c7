use std::process::ExitCode;

use soul_engine::ops::verify::Request;
use soul_engine::registry::PackageName;

use super::Global;
use crate::output::{Failure, packages};

/// Compare installed files with soul.lock
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul verify                             every package
  soul verify soulkeeper/harbour-pilot    one of them")]
pub(crate) struct Arguments {
    /// OWNER/NAME; every package if absent
    #[arg(value_name = "PACKAGE")]
    package: Option<PackageName>,
}

pub(crate) fn run(global: &Global, Arguments { package }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { package }, packages::verified)
}
