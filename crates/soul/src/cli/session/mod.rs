//! Live agents, one file a command.

mod list;
mod refresh;
mod resume;
mod show;
mod spawn;
mod start;
mod stop;

use std::process::ExitCode;

use super::Global;
use crate::output::Failure;

/// Live agents, each bound to its soul as it was when it was resolved
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Start(start::Arguments),
    Spawn(spawn::Arguments),
    Refresh(refresh::Arguments),
    Resume(resume::Arguments),
    Stop(stop::Arguments),
    Show(show::Arguments),
    List(list::Arguments),
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Start(arguments) => start::run(global, arguments),
        Command::Spawn(arguments) => spawn::run(global, arguments),
        Command::Refresh(arguments) => refresh::run(global, arguments),
        Command::Resume(arguments) => resume::run(global, arguments),
        Command::Stop(arguments) => stop::run(global, arguments),
        Command::Show(arguments) => show::run(global, arguments),
        Command::List(arguments) => list::run(global, &arguments),
    }
}
