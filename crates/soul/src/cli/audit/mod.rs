//! `soul audit`: one file a command.

mod repair;
mod verify;

use super::Row;

pub(super) const ABOUT: &str = "Verify and repair the record of changes";

pub(super) const EXAMPLES: &str = "Examples:
  soul audit verify              check the record
  soul audit repair --dry-run    show what would be repaired";

pub(super) const COMMANDS: &[Row] = &[command!(verify), command!(repair)];
