use std::process::ExitCode;

use soul_engine::ops::sync::init;
use soul_engine::sync::Branch;

use crate::cli::{Global, input};
use crate::output::{Failure, sync};

/// Connect the library with a git remote
///
/// Nothing is changed here or there; `pull` and `publish` do that. Another remote or branch starts over: what differs
/// becomes a conflict, and nothing is overwritten.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync init --remote git@example.com:team/souls.git    over SSH
  soul sync init --remote /srv/git/souls.git --branch ada   a repository on this machine")]
pub(crate) struct Arguments {
    /// URL of the repository, `user@host:path`, or a path on this machine
    #[arg(long, value_name = "URL|PATH", allow_hyphen_values = true)]
    remote: String,
    /// The branch
    #[arg(long, value_name = "NAME", default_value_t, allow_hyphen_values = true)]
    branch: Branch,
    /// Sync the souls of the home's agents too
    #[arg(long)]
    agents: bool,
}

pub(crate) fn run(global: &Global, Arguments { remote, branch, agents }: Arguments) -> Result<ExitCode, Failure> {
    let remote = input::remote(&remote)?;
    global.answer(init::Request { remote, branch: Some(branch), agents }, sync::connected)
}
