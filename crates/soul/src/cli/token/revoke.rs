use std::process::ExitCode;

use soul_engine::ids::TokenId;
use soul_engine::ops::token::revoke;

use crate::cli::Global;
use crate::output::{Failure, token};

/// Revoke a token, from the next request on
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul token revoke tok_01M7HE    takes effect at once")]
pub(crate) struct Arguments {
    /// The token's id, as `soul token list` shows it
    id: TokenId,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(revoke::Request { id }, |response| token::one(&response.token))
}
