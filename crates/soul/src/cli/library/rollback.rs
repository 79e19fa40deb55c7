use std::process::ExitCode;

use soul_engine::ids::RevisionId;
use soul_engine::library::SoulId;
use soul_engine::ops::library::rollback;

use crate::cli::Global;
use crate::cli::change::{Force, Seen};
use crate::output::{Failure, library};

/// Restore an earlier text of a library soul, even of a deleted one
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    /// The revision to restore, as `soul library history` shows it
    #[arg(long = "revision", value_name = "ID")]
    revision_id: RevisionId,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    seen: Seen,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, revision_id, force, seen } = arguments;
    let (force, expected_digest) = (force.reason(), seen.digest());
    let request = rollback::Request { id, revision_id, expected_digest, force };
    global.answer(request, |soul| library::changed(soul, "rolled back"))
}
