use std::process::ExitCode;

use soul_engine::ops::sync::forget;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::Global;
use crate::output::{Failure, sync};

/// Forget what sync knows of souls that are missing, untracked or in conflict
///
/// No soul changes; the next pull looks at them as if for the first time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync forget reviewer         one soul
  soul sync forget --all-missing    every soul whose file is gone")]
pub(crate) struct Arguments {
    /// Ids of souls
    #[arg(value_name = "ID", value_parser = item, required_unless_present = "all_missing")]
    ids: Vec<ItemId>,
    /// Forget every soul that is missing here
    #[arg(long, conflicts_with = "ids")]
    all_missing: bool,
}

pub(crate) fn run(global: &Global, Arguments { ids, all_missing }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(forget::Request { item_id: None, item_ids: ids, all_missing }, sync::result)
}
