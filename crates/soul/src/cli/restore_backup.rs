use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::ops::restore_backup;

use super::Global;
use crate::output::{Failure, record};

/// Replace the store with a backup
///
/// The backup is verified first, and brought to the version of this program. Refuses while a service or another command
/// uses the store. The store that is replaced is kept in the home, as `keeper.db.replaced-TIME`. Souls and memory stay
/// as they are; a soul that the backup does not know as it is now is recorded with its next change.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul restore-backup keeper.bak    replace the store; the old one is kept in the home
  soul doctor                       check it afterwards")]
pub(crate) struct Arguments {
    /// The file that `soul backup` made
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(global: &Global, Arguments { file }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(restore_backup::Request { file }, record::restored)
}
