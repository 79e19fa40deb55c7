use std::process::ExitCode;

use soul_engine::ops::key::trust::Request;
use soul_engine::registry::Key;

use crate::cli::Global;
use crate::output::{Failure, packages};

/// Trust a key for a publisher
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul key trust lighthouse RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3   from a `.pub` file")]
pub(crate) struct Arguments {
    /// The publisher: the OWNER of packages
    owner: String,
    /// The public key
    key: Key,
}

pub(crate) fn run(global: &Global, Arguments { owner, key }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { owner, key }, packages::key_trusted)
}
