use std::process::ExitCode;

use soul_core::text::visible;
use soul_engine::ops::memory::forget;

use super::{Place, Section};
use crate::cli::Global;
use crate::output::Failure;
use crate::output::style::{FAINT, STRONG};

/// Remove a section from a memory, or restore the last one
///
/// What is removed is kept in the home. Deeper sections stay.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory forget memory/2026-11-14.md --line 2    remove the section at a line
  soul memory forget --undo                           bring the last one back")]
pub(crate) struct Arguments {
    /// The file, as search names it
    #[arg(required_unless_present = "undo")]
    file: Option<String>,
    #[command(flatten)]
    section: Section,
    /// Restore what was removed last, to the byte
    #[arg(long, conflicts_with_all = ["file", "line", "section"])]
    undo: bool,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { file, section: Section { line, section }, undo, place } = arguments;
    global.answer(forget::Request { memory: place.memory(), file, line, section, undo }, forgotten)
}

fn forgotten(response: &forget::Response) -> String {
    let done = if response.restored { "brought back" } else { "removed; `--undo` restores it" };
    let (file, line, section) = (&response.file, response.line, visible(&response.section));
    format!("{STRONG}{file}:{line}{STRONG:#}  {section}  {FAINT}{done}{FAINT:#}\n")
}
