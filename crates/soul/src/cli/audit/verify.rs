use std::process::ExitCode;

use soul_core::digest::Digest;
use soul_engine::ops::audit::verify;

use crate::cli::Global;
use crate::output::{Failure, record};

/// Verify every chain of revisions, and name the first broken one
///
/// Exits with 1 if a revision or a snapshot was changed. A chain cannot show that its end was cut off: keep the
/// heads that are printed, and expect them next time.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Expect a head that was printed earlier to be in its chain still; repeatable
    #[arg(long = "expect-head", value_name = "CHAIN", value_parser = head)]
    expect_heads: Vec<Digest>,
}

/// A head that is misspelled is no sign that something is missing.
fn head(typed: &str) -> Result<Digest, String> {
    let why = "a head is `sha256:` and 64 hexadecimal digits, as `soul audit verify` prints it";
    typed.trim().parse().map_err(|_| why.to_owned())
}

pub(crate) fn run(global: &Global, Arguments { expect_heads }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(verify::Request { expect_heads }, record::audit)
}
