use std::process::ExitCode;

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
    #[arg(long = "expect-head", value_name = "CHAIN")]
    expect_heads: Vec<String>,
}

pub(crate) fn run(global: &Global, Arguments { expect_heads }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(verify::Request { expect_heads }, record::audit)
}
