use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::show;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Show a session, and whether it has a live run
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION")]
    session_id: SessionId,
}

pub(crate) fn run(global: &Global, Arguments { session_id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(show::Request { session_id }, live::shown)
}
