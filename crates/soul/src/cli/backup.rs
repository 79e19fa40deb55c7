use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::ops::backup;

use super::Global;
use crate::output::{Failure, record};

/// Back up the store into one file, also while a service is running
///
/// The file is a SQLite database that holds the whole record: revisions, snapshots, sessions, tasks, tokens and events.
/// It is verified before it gets its name, and an existing file is never overwritten. Souls and memory are files, and
/// not in it. `soul restore-backup` puts it back.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul backup keeper.bak                back up the record
  soul backup \"soul-$(date +%F).bak\"    a file for each day")]
pub(crate) struct Arguments {
    /// The file to create
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(global: &Global, Arguments { file }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(backup::Request { file }, record::backed_up)
}
