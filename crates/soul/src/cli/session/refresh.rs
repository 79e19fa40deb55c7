use std::process::ExitCode;

use soul_engine::ids::SessionId;
use soul_engine::ops::session::refresh;

use crate::cli::{Global, input};
use crate::output::{Failure, live};

/// Bind an idle session to its soul as it is now
///
/// A session with a live run keeps its soul, and so does one whose file is invalid.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul session refresh sess_01M7HE    take up the soul as it is now")]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION")]
    session_id: SessionId,
    /// Digest of the soul that the session is bound to, as you have seen it
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { session_id, expected_digest }: Arguments) -> Result<ExitCode, Failure> {
    let request = refresh::Request { session_id, expected_digest: input::digest(expected_digest) };
    global.answer(request, live::bound)
}
