use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use soul_core::search::Day;
use soul_engine::fields::Moment;
use soul_engine::memory::MAX_RESULTS;
use soul_engine::moment::{UnreadableTime, When};
use soul_engine::ops::memory::search;

use super::Place;
use crate::cli::{Global, input};
use crate::output::{self, Failure, memory};

/// Search the sections of a memory
///
/// Every text is a query, in any script; words need not be adjacent, and forms of a word count as the word. A query
/// that begins with `-` is one argument, or follows `--`. The index is kept in the home and follows the files by
/// itself.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory search staging port                     in the current directory
  soul memory search deploy --agent ada --since 7d    in the memory of an agent
  soul memory search invoice --all-agents             everywhere")]
pub(crate) struct Arguments {
    /// What to search for; several words are one query
    #[arg(allow_hyphen_values = true, value_name = "QUERY")]
    query: String,
    #[arg(hide = true)]
    /// More words
    more: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Search the memories of all agents
    #[arg(long, conflicts_with_all = ["dir", "agent"])]
    all_agents: bool,
    /// Maximum number of results, at most 1000
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = input::number(0..=MAX_RESULTS))]
    limit: usize,
    /// Only files of this day or later: today, yesterday, 2h, 3d, or a date (UTC)
    #[arg(long, value_name = "TIME", value_parser = day)]
    since: Option<Day>,
    /// Only the files of this topic
    #[arg(long)]
    topic: Option<String>,
    /// Search live state, `memory/runtime/`, too
    #[arg(long)]
    runtime: bool,
    /// Show only the best of sections that say nearly the same
    #[arg(long)]
    collapse: bool,
    /// Let the model of `[memory.rerank]` order the best results
    #[arg(long)]
    enhanced: bool,
    /// Explain the score of each result
    #[arg(long)]
    explain: bool,
    /// Search as of this day or time, instead of now
    #[arg(long, value_name = "TIME")]
    now: Option<Moment>,
}

/// Days of a memory are those of UTC.
fn day(typed: &str) -> Result<Day, UnreadableTime> {
    let when = When::parse(typed, Timestamp::now(), &TimeZone::UTC)?;
    Ok(Day::of_seconds(when.start.as_second()))
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { query, more, place, all_agents, limit, since, topic, runtime, collapse, enhanced, explain, now } =
        arguments;
    let query = [vec![query], more].concat().join(" ");
    if query.trim().is_empty() {
        return Err(Failure::usage("the query is empty").hint("give one or more words to search for"));
    }
    let (memory, topic) = (place.memories(all_agents), input::non_blank(topic));
    let absent = place.absent(all_agents);
    let request = search::Request { memory, query, limit, since, topic, runtime, explain, collapse, enhanced, now };
    global.answer_with(request, |response| {
        output::print(&memory::results(response, (&absent.0, &absent.1)))?;
        output::note(&memory::warnings(&response.warnings))
    })
}
