use std::process::ExitCode;

use soul_engine::ops::token::list;

use crate::cli::Global;
use crate::output::{Failure, token};

/// List all tokens, revoked ones too
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul token list    who has access")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request {}, token::list)
}
