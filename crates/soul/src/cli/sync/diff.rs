use std::process::ExitCode;

use soul_engine::ops::sync::diff;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::Global;
use crate::output::{Failure, sync};

/// Show what differs between the remote's text and yours
///
/// Of a conflict, the remote's text and the passages that both sides changed; else the text that was synced last.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync diff reviewer           from the remote's text to yours
  soul sync diff reviewer --json    both texts")]
pub(crate) struct Arguments {
    /// Id of the soul
    #[arg(value_parser = item)]
    id: ItemId,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(diff::Request { item_id: id }, sync::diff)
}
