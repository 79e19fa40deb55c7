use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::clock::Time;
use soul_engine::ops::registry::index::Request;

use crate::cli::Global;
use crate::output::{Failure, registry};

/// The time of a reproducible build, in seconds since 1970.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// Build index.json of a registry
///
/// Scans every package, and lists those that do not say `registry.listed: false`. The same files make the same index; its
/// time is that of SOURCE_DATE_EPOCH, if it is set.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry index .                                                     write index.json
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) soul registry index .        the time of the last commit")]
pub(crate) struct Arguments {
    /// The folder of the registry
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

pub(crate) fn run(global: &Global, Arguments { dir }: Arguments) -> Result<ExitCode, Failure> {
    let epoch = std::env::var(EPOCH).ok().filter(|epoch| !epoch.trim().is_empty());
    let seconds = epoch.map(|epoch| epoch.trim().parse::<i64>()).transpose();
    let seconds = seconds.map_err(|_| {
        Failure::usage(format!("`{EPOCH}` is not a number of seconds"))
            .hint("unset it, or set it to `git log -1 --format=%ct`")
    })?;
    global.answer(Request { dir, generated_at: seconds.map(Time::of_seconds) }, registry::indexed)
}
