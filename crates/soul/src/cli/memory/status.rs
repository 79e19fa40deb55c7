use std::process::ExitCode;

use soul_engine::ops::memory::status;

use super::{Global, Place};
use crate::output::progress::Progress;
use crate::output::{self, Failure, memory};

/// Show what a memory holds, and how it stands with its index
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let request = status::Request { whose: arguments.place.whose()? };
    let progress = Progress::start("files indexed");
    let response =
        global.ask_or(request, |keeper, request| status::run(keeper, &request, &|total| progress.advance_of(total)));
    drop(progress);
    let response = response?;
    if global.json {
        output::json("memory.status", &response)?;
    } else {
        output::print(&memory::status(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
