//! `soul workspace`: one file a command.

mod adopt;
mod fork;
mod list;
mod share;

use super::Row;

pub(super) const ABOUT: &str = "Manage copies of a workspace and their records

A copy of a workspace, such as a clone or a worktree of its repository, has the same `.soul/id`, and with it the \
same record of changes. The first change from such a copy is refused until you decide: `fork` gives it its own \
record, `share` lets all of them use one.";

pub(super) const EXAMPLES: &str = "Examples:
  soul workspace list     every record, and where it is used
  soul workspace fork     in a clone that goes its own way
  soul workspace share    in a worktree of the same repository";

pub(super) const COMMANDS: &[Row] = &[command!(list), command!(fork), command!(share), command!(adopt)];
