use std::process::ExitCode;

use soul_engine::ops::memory::init;
use soul_engine::sync::Branch;

use super::Place;
use crate::cli::{Global, input};
use crate::output::{Failure, memory};

/// Connect an agent's memory with a git remote
///
/// Nothing is sent yet; `push` and `pull` do that. Give each agent a repository or a branch of its own.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory init --agent ada --remote git@example.com:me/ada-memory.git
  soul memory init --agent ada            the remote that soul.json names")]
pub(crate) struct Arguments {
    /// URL of the repository, `user@host:path`, or a path on this machine; defaults to the one in soul.json
    #[arg(long, value_name = "URL|PATH", allow_hyphen_values = true)]
    remote: Option<String>,
    /// The branch; defaults to the one in soul.json, or main
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    branch: Option<Branch>,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, Arguments { remote, branch, place }: Arguments) -> Result<ExitCode, Failure> {
    let remote = remote.as_deref().map(input::remote).transpose()?;
    global.answer(init::Request { memory: place.memory(), remote, branch }, memory::synced)
}
