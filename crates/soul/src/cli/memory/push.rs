use std::process::ExitCode;

use soul_engine::ops::memory::push;
use soul_engine::store::Message;

use super::Place;
use crate::cli::{Global, input};
use crate::output::{Failure, memory};

/// Send the changes of a memory to its remote
///
/// On top of what others have sent. Live state (`memory/runtime/`) stays here.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory push --agent ada                     merge, commit and push
  soul memory push --agent ada -m 'After standup'   with a message")]
pub(crate) struct Arguments {
    /// Message of the commit
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<Message>,
    /// Take texts of the remote whatever the scanner finds, for this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, Arguments { message, force, place }: Arguments) -> Result<ExitCode, Failure> {
    let force = input::non_blank(force);
    global.answer(push::Request { memory: place.memory(), message, force }, memory::synced)
}
