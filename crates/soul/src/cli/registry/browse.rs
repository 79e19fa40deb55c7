use std::process::ExitCode;

use soul_engine::ops::registry::browse::Request;

use crate::cli::{Global, input};
use crate::output::{Failure, registry};

/// List packages page by page, all or of one category
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry browse              every package, by name
  soul registry browse creative     one category and those below it
  soul registry browse --page 2     the next page")]
pub(crate) struct Arguments {
    /// Only this category and those below it
    #[arg(value_name = "CATEGORY")]
    category: Option<String>,
    /// Number of the page
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::whole::<usize>)]
    page: usize,
    /// Number of packages on a page, at most 100
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = input::whole::<usize>)]
    limit: usize,
    /// Fetch registries that are elsewhere first
    #[arg(long)]
    refresh: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { category, page, limit, refresh } = arguments;
    let request = Request { category, page: Some(page), limit: Some(limit), refresh, ..Request::default() };
    global.answer(request, registry::page)
}
