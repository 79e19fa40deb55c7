use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::library::delete;

use crate::cli::change::Seen;
use crate::cli::{Global, input};
use crate::output::{Failure, library};

/// Delete a soul of the library (its history stays)
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library delete reviewer         delete it
  soul library rollback reviewer @-    bring it back")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    /// Delete the soul even if it is selected or the default, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
    #[command(flatten)]
    seen: Seen,
}

pub(crate) fn run(global: &Global, Arguments { id, force, seen }: Arguments) -> Result<ExitCode, Failure> {
    let (force, expected_digest) = (input::non_blank(force), seen.digest());
    global.answer(delete::Request { id, force, expected_digest }, library::deleted)
}
