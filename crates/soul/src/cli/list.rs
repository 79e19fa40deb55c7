use std::process::ExitCode;

use soul_engine::ops::list;

use super::Global;
use crate::output::{Failure, agents};

/// List the agents: role, dialect, state, last change and live sessions
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul list                                    every agent of the workspace and the home
  soul list --json | jq -r '.agents[].name'    names only")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request::default(), agents::list)
}
