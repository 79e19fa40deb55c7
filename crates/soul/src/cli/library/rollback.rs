use std::process::ExitCode;

use soul_engine::ids::RevisionId;
use soul_engine::library::SoulId;
use soul_engine::ops::library::rollback;

use crate::cli::Global;
use crate::cli::change::{Force, Seen};
use crate::output::{Failure, library};

/// Restore an earlier text of a library soul, even of a deleted one
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library rollback reviewer @-                the text before the last change
  soul library rollback reviewer rev_01M7HEDC99    a revision from the history")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    /// The revision to restore: an id or the beginning of one, `@-` for the one before the last, `@-2`, …
    #[arg(value_name = "REVISION", required_unless_present = "revision_option")]
    revision: Option<RevisionId>,
    /// The same as an option
    #[arg(long = "revision", id = "revision_option", value_name = "REVISION", conflicts_with = "revision")]
    revision_option: Option<RevisionId>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    seen: Seen,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, revision, revision_option, force, seen } = arguments;
    let missing = || Failure::usage("name the revision to restore");
    let revision_id = revision.or(revision_option).ok_or_else(missing)?;
    let (force, expected_digest) = (force.reason(), seen.digest());
    let request = rollback::Request { id, revision_id, expected_digest, force };
    global.answer(request, |soul| library::changed(soul, "rolled back"))
}
