use std::process::ExitCode;

use soul_engine::ops::memory::detail;

use super::{Place, Section};
use crate::cli::Global;
use crate::output::{self, Failure};

/// Print a section of a memory, or a whole file
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory detail MEMORY.md                        the whole file
  soul memory detail memory/2026-11-14.md --line 2    the section at a line")]
pub(crate) struct Arguments {
    /// The file, as search names it
    file: String,
    #[command(flatten)]
    section: Section,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { file, section: Section { line, section }, place } = arguments;
    let request = detail::Request { memory: place.memory(), file, line, section };
    global.answer_with(request, |response| output::bytes(response.text.as_bytes()))
}
