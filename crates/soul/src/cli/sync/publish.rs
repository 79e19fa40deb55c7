use std::process::ExitCode;

use soul_engine::ops::sync::publish;
use soul_engine::store::Message;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::Global;
use crate::output::{Failure, sync};

/// Send local changes to the remote
///
/// All in one commit. If others have pushed meanwhile, their changes are merged and it is tried again.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync publish reviewer                   one soul
  soul sync publish --all -m 'Calmer tone'     everything that is modified or untracked")]
pub(crate) struct Arguments {
    /// Ids of souls
    #[arg(value_name = "ID", value_parser = item, required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<ItemId>,
    /// Publish everything that is modified or untracked
    #[arg(long)]
    all: bool,
    /// Message of the commit
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<Message>,
    /// Publish your text of a soul in conflict over the remote's
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(global: &Global, Arguments { ids, all, message, force }: Arguments) -> Result<ExitCode, Failure> {
    let item_ids = (!all).then_some(ids);
    global.answer(publish::Request { item_id: None, item_ids, all, message, force }, sync::result)
}
