use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::boot;

use super::{Global, input};
use crate::output::{self, Failure};

/// Show what an agent starts with: its files in load order, and what each is for
///
/// Changes nothing. Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul boot ada          the files of an agent in load order
  soul boot ./my-pack    a package in a folder")]
pub(crate) struct Arguments {
    /// The agent's name, or a directory or file like one
    #[arg(value_name = "AGENT")]
    target: OsString,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, Arguments { target, dialect }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(boot::Request { target: input::target(&target)?, dialect }, output::boot::started)
}
