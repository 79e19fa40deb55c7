use std::process::ExitCode;

use soul_engine::ops::doctor;

use super::Global;
use crate::output::{Failure, live};

/// Check the home, the store, souls and settings, and say how to fix what is wrong
///
/// Exits with 1 if something is broken. Changes nothing.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, Arguments {}: Arguments) -> Result<ExitCode, Failure> {
    global.answer(doctor::Request {}, live::doctor)
}
