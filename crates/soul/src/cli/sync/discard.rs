use std::process::ExitCode;

use soul_engine::ops::sync::discard;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::{Global, input};
use crate::output::{Failure, sync};

/// Replace local changes of a soul by the remote's text
///
/// As the remote was at the last sync. Your text stays on record: `soul library rollback ID` brings it back.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync discard reviewer                 drop your changes
  soul library rollback reviewer --revision @-    and take them back")]
pub(crate) struct Arguments {
    /// Id of the soul
    #[arg(value_parser = item)]
    id: ItemId,
    /// Take the text whatever the scanner finds, or delete a soul that is in use, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id, force }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(discard::Request { item_id: id, force: input::non_blank(force) }, sync::result)
}
