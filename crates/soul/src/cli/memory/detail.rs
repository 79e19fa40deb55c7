use std::process::ExitCode;

use soul_engine::ops::memory::detail;

use super::{Place, Section};
use crate::cli::Global;
use crate::cli::input::whole;
use crate::output::{self, Failure};

/// Print a section of a memory, or a whole file
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory detail MEMORY.md                        the whole file
  soul memory detail memory/2026-11-14.md --line 2    the section at a line
  soul memory detail MEMORY.md --line 40 --lines 20   these lines")]
pub(crate) struct Arguments {
    /// The file, as search names it
    file: String,
    #[command(flatten)]
    section: Section,
    /// Print this many lines, from `--line` or the first one on, instead of a section
    #[arg(long, value_name = "N", value_parser = whole::<usize>, conflicts_with = "section")]
    lines: Option<usize>,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { file, section: Section { line, section }, lines, place } = arguments;
    let request = detail::Request { memory: place.memory(), file, line, section, lines };
    global.answer_with(request, |response| output::bytes(response.text.as_bytes()))
}
