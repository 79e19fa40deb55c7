use std::process::ExitCode;

use clap_complete::Shell;
use serde::Serialize;

use super::Global;
use crate::output::{self, Failure};

/// Print a completion script for a shell
///
/// For bash: `soul completions bash > ~/.local/share/bash-completion/completions/soul`
#[derive(clap::Args)]
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
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::command(), "soul", &mut script);
    if global.json {
        let text = String::from_utf8_lossy(&script).into_owned();
        output::json("completions", &Response { shell: shell.to_string(), text })?;
    } else {
        output::bytes(&script)?;
    }
    Ok(ExitCode::SUCCESS)
}
