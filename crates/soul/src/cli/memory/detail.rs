use std::process::ExitCode;

use soul_engine::ops::memory::detail;

use super::{Chosen, Global, Place};
use crate::output::{self, Failure};

/// Print a section of a memory, or a whole file
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file, as search names it
    file: String,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let request = detail::Request {
        whose: arguments.place.whose()?,
        file: arguments.file.clone(),
        which: arguments.chosen.which(),
    };
    let response = global.ask(request)?;
    if global.json {
        output::json("memory.detail", &response)?;
    } else {
        output::bytes(response.text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
