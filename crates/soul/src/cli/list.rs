use std::process::ExitCode;

use soul_engine::ops::list;

use super::Global;
use crate::output::{Failure, agents};

/// List the agents: role, dialect, state, last change and live sessions
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request {}, agents::list)
}
