use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::files;
use soul_engine::ops::registry::check::Request;

use crate::cli::Global;
use crate::output::{Failure, registry};

/// Check the packages of a registry, for CI
///
/// Structure, publish profile, licence, and the scan (grade C or better); with `--changed-since` only what was changed, and
/// that versions rise and no owner's name is taken over. What cannot be checked fails.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry check .                                             every package
  soul registry check . --changed-since origin/main                 what a pull request changes
  soul registry check . --changed-since \"$BASE\" --comment-file c.md   with a text to post")]
pub(crate) struct Arguments {
    /// The folder of the registry
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Check what was changed since this commit, branch or tag
    #[arg(long, value_name = "REF")]
    changed_since: Option<String>,
    /// Write a comment for the pull request, in Markdown
    #[arg(long, value_name = "FILE")]
    comment_file: Option<PathBuf>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { dir, changed_since, comment_file } = arguments;
    let response = global.ask(Request { dir, changed_since })?;
    if let Some(file) = comment_file {
        let shown = file.to_string_lossy();
        files::replace(&file, response.comment.as_bytes()).map_err(|error| Failure::io(&shown, &error))?;
    }
    global.show::<Request>(response, registry::checked)
}
