use std::process::ExitCode;

use soul_engine::ops::doctor;

use super::Global;
use crate::output::{self, Failure, live};

/// Look at everything that can be wrong with the keeper, and say what to do
///
/// Exits with 1 if something is broken. Changes nothing.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(global: &Global, _: &Arguments) -> Result<ExitCode, Failure> {
    let response = global.ask(doctor::Request {})?;
    if global.json {
        output::json("doctor", &response)?;
    } else {
        output::print(&live::doctor(&response))?;
    }
    Ok(if response.ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
