use std::process::ExitCode;

use soul_engine::ops::library::list;

use crate::cli::Global;
use crate::output::{self, Failure, library};

/// List the souls of the library by name, or those that hold a text
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only souls with this in their name, description, id or content, in any case
    #[arg(long, short, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    query: String,
    /// The page
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    page: i64,
    /// How many souls on a page, 200 at most
    #[arg(long, value_name = "N", default_value_t = list::DEFAULT_PER_PAGE, allow_negative_numbers = true)]
    per_page: i64,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    super::begin_if_possible(global, "library list")?;
    let Arguments { query, page, per_page } = arguments;
    let response = global.ask(list::Request { query, page, per_page })?;
    if global.json {
        output::json("library.list", &response)?;
    } else {
        output::print(&library::list(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
