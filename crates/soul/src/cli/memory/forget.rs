use std::process::ExitCode;

use soul_core::text::visible;
use soul_engine::ops::memory::forget::{self, What};

use super::{Chosen, Global, Place};
use crate::output::style::{FAINT, STRONG};
use crate::output::{self, Failure};

/// Take a section out of a memory, or bring the last one back
///
/// What is taken out is kept in the home. Deeper sections stay.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file, as search names it
    #[arg(required_unless_present = "undo")]
    file: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// Bring back, to the byte, what was taken out last
    #[arg(long, conflicts_with_all = ["file", "line", "section"])]
    undo: bool,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let what = match (&arguments.file, arguments.chosen.which()) {
        (Some(file), Some(which)) => What::Forget(file.clone(), which),
        (Some(_), None) => {
            let failure = Failure::message("usage", "which section is to be forgotten?", 2);
            return Err(failure.hint("give `--line N` or `--section HEADING`"));
        }
        (None, _) => What::Undo,
    };
    let request = forget::Request { whose: arguments.place.whose()?, what };
    let response = global.ask(request)?;
    if global.json {
        output::json("memory.forget", &response)?;
    } else {
        let done = if response.restored { "brought back" } else { "forgotten; `--undo` brings it back" };
        let (file, line, section) = (&response.file, response.line, visible(&response.section));
        output::print(&format!("{STRONG}{file}:{line}{STRONG:#}  {section}  {FAINT}{done}{FAINT:#}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
