use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::ops::registry::submit::Request;

use crate::cli::Global;
use crate::output::{Failure, registry};

/// Put a package on a branch of a registry, for a pull request
///
/// The branch `submit/OWNER-NAME-VERSION` has the package and nothing else; no checkout is touched. With a URL the branch is
/// pushed. Prints the title and the text for the pull request.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul registry submit pilot --to ../ourselves                      a clone on this machine
  soul registry submit pilot --to git@example.com:ourselves.git     push to a remote
  soul registry submit pilot --to ../ourselves --key default        sign it")]
pub(crate) struct Arguments {
    /// The folder or the archive of the package
    #[arg(value_name = "PACKAGE")]
    package: PathBuf,
    /// The registry: a git repository on this machine, or a URL
    #[arg(long, value_name = "DIR|URL")]
    to: String,
    /// Sign it with this key (`soul key create`)
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { package, to, key }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { path: package, to, key }, registry::submitted)
}
