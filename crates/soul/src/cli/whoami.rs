use std::process::ExitCode;

use soul_engine::ops::whoami;

use super::Global;
use crate::output::{Failure, token};

/// Show who you are to the keeper, and what you may do
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul whoami                               the name that goes on record
  soul whoami --server http://host:7741     who you are to a service")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(whoami::Request {}, token::whoami)
}
