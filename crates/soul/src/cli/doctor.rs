use std::process::ExitCode;

use soul_engine::ops::doctor;

use super::Global;
use crate::output::{self, Failure};

/// Check the home, configuration, record, souls and sessions
///
/// Names every problem and the command to run next. Exits with 1 if a soul is invalid, poisoned, missing or changed
/// outside of soul, or anything else is broken. Changes nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul doctor           check everything
  soul doctor --json    for a monitor; exits with 1 if there is a problem")]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(doctor::Request {}, output::doctor::report)
}
