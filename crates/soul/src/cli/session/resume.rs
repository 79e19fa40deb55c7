use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::resume;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Resume a stopped session on the soul that it was bound to
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session resume sess_01M7HE    with the soul that it had")]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION")]
    session_id: SessionId,
}

pub(crate) fn run(global: &Global, Arguments { session_id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(resume::Request { session_id }, live::session)
}
