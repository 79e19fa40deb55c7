use std::process::ExitCode;

use soul_engine::ops::library::list;

use crate::cli::{Global, input};
use crate::output::{Failure, library};

/// List the souls of the library by name, or those that contain a text
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library list                   every soul
  soul library list --query review    souls that mention a word")]
pub(crate) struct Arguments {
    /// Only souls with this text in their name, description, id or content, in any case
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    query: String,
    /// Number of the page
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = input::whole::<i64>)]
    page: i64,
    /// Number of souls on a page, at most 200
    #[arg(long, value_name = "N", default_value_t = list::DEFAULT_PER_PAGE, allow_negative_numbers = true, value_parser = input::whole::<i64>)]
    per_page: i64,
}

pub(crate) fn run(global: &Global, Arguments { query, page, per_page }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(list::Request { query, page, per_page, selected: !global.json }, library::list)
}
