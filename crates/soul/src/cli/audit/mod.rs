//! `soul audit`: one file a command.

mod verify;

use super::Row;

pub(super) const ABOUT: &str = "Verify the record of changes";

pub(super) const COMMANDS: &[Row] = &[command!(verify)];
