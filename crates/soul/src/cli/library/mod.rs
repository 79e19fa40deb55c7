//! `soul library`: one file a command.

mod create;
mod current;
mod delete;
mod diff;
mod history;
mod list;
mod rollback;
mod select;
mod show;
mod update;

use std::ffi::OsString;

use super::{Global, Row, input};
use crate::output::Failure;

pub(super) const ABOUT: &str = "Manage the shared soul library and select the default

The souls are files: `souls/ID.md` in the home. The first command on an empty library
creates its first soul, `default`.";

pub(super) const EXAMPLES: &str = "Examples:
  soul library list                                         every soul
  soul library create --name Reviewer --file reviewer.md    add one
  soul library select reviewer                              use it where there is no other soul";

pub(super) const COMMANDS: &[Row] = &[
    command!(list),
    command!(show),
    command!(create),
    command!(update),
    command!(delete),
    command!(select),
    command!(current),
    command!(history),
    command!(diff),
    command!(rollback),
];

/// The text of a soul, from the command line or a file.
#[derive(clap::Args)]
struct Content {
    /// The text that reaches a model
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "file")]
    content: Option<String>,
    /// The text that reaches a model, from a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: Option<OsString>,
}

impl Content {
    fn text(self, global: &Global) -> Result<Option<String>, Failure> {
        let Some(file) = self.file else { return Ok(self.content) };
        let text = input::text(global, "content", &file)?;
        Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
    }
}
