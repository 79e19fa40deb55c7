//! Tokens, one file a command.

mod create;
mod list;
mod revoke;

use std::process::ExitCode;

use super::Global;
use crate::output::Failure;

/// Who may ask the service from elsewhere, and for what
///
/// On this machine nobody needs a token. The service listens on no other address before there is one.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Create(create::Arguments),
    List(list::Arguments),
    Revoke(revoke::Arguments),
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Create(arguments) => create::run(global, arguments),
        Command::List(arguments) => list::run(global, &arguments),
        Command::Revoke(arguments) => revoke::run(global, arguments),
    }
}
