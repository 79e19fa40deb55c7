use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::diff::Side;
use soul_engine::ops::library::diff;

use crate::cli::Global;
use crate::output::{Failure, record};

/// Compare two texts of a library soul, by meaning and line by line
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library diff reviewer         edits of the file that are not recorded
  soul library diff reviewer @- @    the last recorded change")]
pub(crate) struct Arguments {
    /// Id of the soul
    id: SoulId,
    /// The earlier text: a revision, or `file`; defaults to the last revision
    from: Option<Side>,
    /// The later text: a revision, or `file`; defaults to the file
    to: Option<Side>,
}

pub(crate) fn run(global: &Global, Arguments { id, from, to }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(diff::Request { id, from, to, body: None }, record::difference)
}
