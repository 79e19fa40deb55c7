use std::ffi::OsString;
use std::process::ExitCode;

use clap::Subcommand;
use soul_engine::ids::SessionId;
use soul_engine::ops::receipt;

use super::{Global, input};
use crate::output::{Failure, receipt as render};

/// Show what a session was really given, or verify a transcript against it
///
/// The digests of the prompt and of every layer, when it was resolved, and for whom. `soul receipt verify` finds the
/// system prompt in a transcript (JSON, JSON lines or plain text), says whether it is the one on record, and exits with 1
/// if it is not.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  soul receipt sess_01M7HE                                 what it was given
  soul receipt verify request.json                         was it the prompt of a session?
  soul receipt verify log.jsonl --session sess_01M7HE      of this one, and which layers are missing"
)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "SESSION", required = true)]
    session_id: Option<SessionId>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Say whether a transcript's system prompt is the one on record
    #[command(after_help = "Examples:
  soul receipt verify request.json                         was it the prompt of a session?
  soul receipt verify log.jsonl --session sess_01M7HE      of this one, and which layers are missing")]
    Verify {
        /// The transcript, or `-` for standard input
        file: OsString,
        /// Compare with this session alone
        #[arg(long = "session", value_name = "SESSION")]
        session_id: Option<SessionId>,
    },
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    match (arguments.command, arguments.session_id) {
        (Some(Command::Verify { file, session_id }), _) => {
            let bytes = input::bytes(global, &file)?;
            let transcript = String::from_utf8_lossy(&bytes).into_owned();
            global.answer(receipt::verify::Request { transcript, session_id }, render::verified)
        }
        (None, Some(session_id)) => global.answer(receipt::Request { session_id }, render::shown),
        (None, None) => Err(Failure::usage("no session is named").hint("`soul session list` lists them")),
    }
}
