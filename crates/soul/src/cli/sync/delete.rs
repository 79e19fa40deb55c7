use std::process::ExitCode;

use soul_engine::ops::sync::delete;
use soul_engine::store::Message;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::{Global, input};
use crate::output::{Failure, sync};

/// Delete souls on the remote, and here
///
/// Their texts stay on record, and in the history of the remote.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync delete reviewer         on both sides
  soul sync delete --all-missing    on the remote, what is gone here")]
pub(crate) struct Arguments {
    /// Ids of souls
    #[arg(value_name = "ID", value_parser = item, required_unless_present = "all_missing")]
    ids: Vec<ItemId>,
    /// Delete every soul on the remote that is missing here
    #[arg(long, conflicts_with = "ids")]
    all_missing: bool,
    /// Message of the commit
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<Message>,
    /// Delete souls that have local changes, are in conflict or in use, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { ids, all_missing, message, force } = arguments;
    let force = input::non_blank(force);
    global.answer(delete::Request { item_id: None, item_ids: ids, all_missing, message, force }, sync::result)
}
