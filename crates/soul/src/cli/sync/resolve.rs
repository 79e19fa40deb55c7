use std::ffi::OsString;
use std::process::ExitCode;

use soul_engine::fields::Body;
use soul_engine::ops::sync::resolve;
use soul_engine::sync::ItemId;

use super::item;
use crate::cli::{Global, input};
use crate::output::{Failure, sync};

/// Resolve a conflict
///
/// Nothing is sent; publish the soul afterwards. The text that loses stays on record, or in the history of the remote.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul sync resolve reviewer --ours              keep your text
  soul sync resolve reviewer --theirs            take the remote's
  soul sync resolve reviewer --file merged.md    write another one")]
#[command(group = clap::ArgGroup::new("resolution").required(true).args(["ours", "theirs", "file"]))]
pub(crate) struct Arguments {
    /// Id of the soul
    #[arg(value_parser = item)]
    id: ItemId,
    /// Keep the local text
    #[arg(long)]
    ours: bool,
    /// Take the remote's text; delete the soul if the remote did
    #[arg(long)]
    theirs: bool,
    /// Write this text, from a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: Option<OsString>,
    /// Take the text whatever the scanner finds, or delete a soul that is in use, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, ours, theirs, file, force } = arguments;
    let body = file.map(|file| input::bytes(global, &file)).transpose()?.map(Body);
    global.answer(resolve::Request { item_id: id, ours, theirs, body, force: input::non_blank(force) }, sync::result)
}
