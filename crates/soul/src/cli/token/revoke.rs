use std::process::ExitCode;

use soul_engine::ops::token::revoke;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, token};

/// Take back what a token grants, from the next request on
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The token's id, as `soul token list` shows it
    id: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, actor } = arguments;
    let request = revoke::Request { id: id.into(), asker: actor.asker("token revoke") };
    let response = global.ask(request)?;
    if global.json {
        output::json("token.revoke", &response)?;
    } else {
        output::print(&token::one(&response.token))?;
    }
    Ok(ExitCode::SUCCESS)
}
