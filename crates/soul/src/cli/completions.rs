use std::process::ExitCode;

use clap_complete::Shell;
use serde::Serialize;

use super::{Global, complete};
use crate::output::{self, Failure};

/// Print a completion script for a shell
///
/// It completes commands, options, and the names of agents, revisions, sessions, library souls and rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul completions bash > ~/.local/share/bash-completion/completions/soul
  soul completions zsh > ~/.zfunc/_soul    (with ~/.zfunc in your fpath)
  soul completions fish > ~/.config/fish/completions/soul.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

#[derive(Serialize)]
struct Response {
    shell: String,
    text: String,
}

pub(crate) fn run(global: &Global, Arguments { shell }: Arguments) -> Result<ExitCode, Failure> {
    let script = complete::script(shell).map_err(|error| Failure::io("the script", &error))?;
    if global.json {
        let text = String::from_utf8_lossy(&script).into_owned();
        output::json("completions", &Response { shell: shell.to_string(), text })?;
    } else {
        output::bytes(&script)?;
    }
    Ok(ExitCode::SUCCESS)
}
