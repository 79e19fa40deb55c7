use std::process::ExitCode;

use soul_engine::ops::registry::search::Request;

use crate::cli::{Global, input};
use crate::output::{Failure, registry};

/// Search packages by words, category or tag
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry search                        every package
  soul registry search code review            packages with both words
  soul registry search --tag embodied         by label
  soul registry search --category education   a category and those below it")]
pub(crate) struct Arguments {
    /// Words, all of which must be found
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only this category and those below it
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Only packages with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The most packages to show, at most 100
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = input::whole::<u16>)]
    limit: u16,
    /// Fetch registries that are elsewhere first
    #[arg(long)]
    refresh: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { words, category, tag, limit, refresh } = arguments;
    let query = Some(words.join(" ")).filter(|query| !query.is_empty());
    global.answer(Request { query, category, tag, limit: Some(limit), refresh }, registry::found)
}
