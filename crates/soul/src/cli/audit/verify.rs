use std::process::ExitCode;

use soul_core::digest::Digest;
use soul_engine::ops::audit::verify;

use crate::cli::Global;
use crate::output::{Failure, record};

/// Verify every chain of revisions, and name the first broken one
///
/// Exits with 1 if a revision or a snapshot was changed. A chain cannot show that its end was removed: keep
/// the heads that `-v` prints in another place, and pass them to `--expect-head` next time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul audit verify       check the record
  soul audit verify -v    print complete heads, to pass to --expect-head next time")]
pub(crate) struct Arguments {
    /// Fail if this head of an earlier run is no longer in its chain; repeatable
    #[arg(long = "expect-head", value_name = "CHAIN", value_parser = head)]
    expect_heads: Vec<Digest>,
}

/// A head that is misspelled is no sign that something is missing.
fn head(typed: &str) -> Result<Digest, String> {
    let why = "a head is `sha256:` and 64 hexadecimal digits, as `soul audit verify -v` prints it";
    typed.trim().parse().map_err(|_| why.to_owned())
}

pub(crate) fn run(global: &Global, Arguments { expect_heads }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(verify::Request { expect_heads }, record::audit)
}
