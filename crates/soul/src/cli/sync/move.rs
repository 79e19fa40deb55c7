use std::process::ExitCode;

use soul_engine::ops::sync::r#move;
use soul_engine::store::Message;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::{Global, input};
use crate::output::{Failure, sync};

/// Rename a soul here and on the remote
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync move reviewer code-reviewer    on both sides")]
pub(crate) struct Arguments {
    /// Id of the soul
    #[arg(value_parser = item)]
    id: ItemId,
    /// The new id
    #[arg(value_parser = item)]
    new_id: ItemId,
    /// Message of the commit
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<Message>,
    /// Move a soul that is in conflict or in use, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id, new_id, message, force }: Arguments) -> Result<ExitCode, Failure> {
    let force = input::non_blank(force);
    global.answer(r#move::Request { item_id: id, new_item_id: new_id, message, force }, sync::result)
}
