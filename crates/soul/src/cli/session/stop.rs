use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::stop;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Stop a session
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session stop sess_01M7HE    stop it; it can be resumed")]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION")]
    session_id: SessionId,
}

pub(crate) fn run(global: &Global, Arguments { session_id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(stop::Request { session_id }, live::session)
}
