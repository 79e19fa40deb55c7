use std::process::ExitCode;

use soul_engine::ops::list;

use super::Global;
use crate::output::{Failure, live};

/// List the agents, with the dialect and the state of each soul
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request {}, live::agents)
}
