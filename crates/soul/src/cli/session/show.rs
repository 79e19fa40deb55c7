use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::show;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Show a session, and whether it has a live run
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session show sess_01M7HE    its soul, state and times")]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION")]
    session_id: SessionId,
}

pub(crate) fn run(global: &Global, Arguments { session_id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(show::Request { session_id }, live::shown)
}
