use std::process::ExitCode;

use soul_engine::ops::token::list;

use crate::cli::Global;
use crate::output::{self, Failure, token};

/// List the tokens, those that were revoked too
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(super) fn run(global: &Global, Arguments {}: &Arguments) -> Result<ExitCode, Failure> {
    let response = global.ask(list::Request {})?;
    if global.json {
        output::json("token.list", &response)?;
    } else {
        output::print(&token::list(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
