use std::process::ExitCode;

use jiff::Timestamp;
use soul_core::search::Day;
use soul_engine::ops::memory::search;

use super::{Global, Place};
use crate::output::progress::Progress;
use crate::output::{self, Failure, memory};

/// Find sections of a memory
///
/// Every text is a query, in any script; words need not stand together, and forms of a word count
/// as the word. The index is kept in the home and follows the files by itself.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to look for
    #[arg(allow_hyphen_values = true)]
    query: String,
    #[command(flatten)]
    place: Place,
    /// How many results at most
    #[arg(short = 'n', long = "limit", value_name = "N", default_value_t = 10)]
    limit: u16,
    /// Only what was written on this day or later
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    since: Option<Day>,
    /// Only this topic's file
    #[arg(long)]
    topic: Option<String>,
    /// Search live state, `memory/runtime/`, too
    #[arg(long)]
    runtime: bool,
    /// Show of sections that say nearly the same only the best
    #[arg(long)]
    collapse: bool,
    /// Let the model of `[memory.rerank]` put the best in order
    #[arg(long)]
    enhanced: bool,
    /// Tell how each score came about
    #[arg(long)]
    explain: bool,
    /// Search as if it were this day or moment
    #[arg(long, value_name = "TIME", value_parser = super::day)]
    now: Option<Day>,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let request = search::Request {
        whose: arguments.place.whose()?,
        query: arguments.query.clone(),
        limit: usize::from(arguments.limit),
        since: arguments.since,
        topic: arguments.topic.clone(),
        runtime: arguments.runtime,
        explain: arguments.explain,
        collapse: arguments.collapse,
        enhanced: arguments.enhanced,
        now: arguments.now.unwrap_or_else(|| super::day_of(Timestamp::now())),
    };
    let progress = Progress::start("files indexed");
    let response =
        global.ask_or(request, |keeper, request| search::run(keeper, &request, &|total| progress.advance_of(total)));
    drop(progress);
    let response = response?;
    if global.json {
        output::json("memory.search", &response)?;
    } else {
        output::print(&memory::results(&response))?;
        output::note(&memory::warnings(&response.warnings))?;
    }
    Ok(ExitCode::SUCCESS)
}
